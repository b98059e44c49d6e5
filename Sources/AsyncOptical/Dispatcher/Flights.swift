enum Admission<Token> {
  /// The message starts now; the holder cancels the one that it supersedes.
  case start(superseding: Token?)
  /// The message waits; in a timed lane in the place of the one before, which is dropped.
  case wait
  case drop
}

/// The messages in flight of the lanes in which none ever waits: `.latest` and `.exclusive`.
struct Flights<Token: Equatable> {
  /// A message in flight.
  private struct Known {
    let lane: Lane
    let token: Token
  }

  /// The newest one, which is not hashed unless its handler suspends.
  private var newest: Known?
  private var others: [Lane: Token] = [:]

  var isEmpty: Bool { newest == nil && others.isEmpty }

  mutating func admit(_ token: Token, to lane: Lane) -> Admission<Token> {
    file()
    let known = others[lane]
    if known != nil {
      if lane.kind == .exclusive { return .drop }
      others[lane] = nil
    }
    newest = Known(lane: lane, token: token)
    return .start(superseding: known)
  }

  mutating func finish(_ token: Token, in lane: Lane) {
    if newest?.token == token {
      newest = nil
    } else if others[lane] == token {
      others[lane] = nil
    }
  }

  mutating func cancel(_ lane: Lane) -> Token? {
    file()
    return others.removeValue(forKey: lane)
  }

  private mutating func file() {
    guard let known = newest else { return }
    others[known.lane] = known.token
    newest = nil
  }
}
