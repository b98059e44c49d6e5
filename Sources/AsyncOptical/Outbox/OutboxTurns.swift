/// Decides which items of an outbox the holder may start.
///
/// If the request of an item ends, but the item is not done, the lane of the item stops. No further item of the lane starts
/// before `resume()`, so no item overtakes that one. The turns contain only numbers, because a lock protects them, and no code of
/// the user's types may run under that lock.
struct OutboxTurns {
  /// Identifies one attempt to carry out an item; an item that is sent again gets a new turn.
  struct Turn: Hashable {
    let item: Int
    fileprivate let number: Int
  }

  private enum Phase {
    /// The holder has the item and has not started it.
    case posted
    /// The holder is carrying out the item.
    case started
    /// The item is done, but not yet removed.
    case done
  }

  private struct Place {
    let turn: Turn
    let lane: Int
    var phase = Phase.posted
  }

  private var places: [Int: Place] = [:]
  private var stopped: Set<Int> = []
  private var lastNumber = 0

  /// Whether the outbox was closed, so that no turn is valid anymore.
  var isClosed = false

  /// Whether some items wait for `resume()`.
  var isPaused: Bool { !stopped.isEmpty }

  /// Takes a turn for an item; returns `nil` if it has one or if its lane has stopped.
  mutating func take(for item: Int, in lane: Int) -> Turn? {
    guard places[item] == nil, !stopped.contains(lane) else { return nil }
    lastNumber += 1
    let turn = Turn(item: item, number: lastNumber)
    places[item] = Place(turn: turn, lane: lane)
    return turn
  }

  /// Starts a turn; returns `false` if the turn is no longer valid, because its lane has stopped, the turn was withdrawn, or the
  /// outbox was closed.
  mutating func start(_ turn: Turn) -> Bool {
    guard isValid(turn) else { return false }
    places[turn.item]?.phase = .started
    return true
  }

  /// Returns whether a turn is still the current turn of its item, and the outbox was not closed.
  func isValid(_ turn: Turn) -> Bool { !isClosed && places[turn.item]?.turn == turn }

  /// Returns whether an item waits to be started.
  func isWaiting(_ item: Int) -> Bool { places[item].map { $0.phase == .posted } ?? true }

  /// Ends a turn; returns `false` if its lane stopped, or the turn was withdrawn, before the turn started.
  mutating func end(_ turn: Turn, isDone: Bool) -> Bool {
    guard let place = places[turn.item], place.turn == turn else { return false }
    if isDone {
      places[turn.item]?.phase = .done
    } else {
      places[turn.item] = nil
      stopped.insert(place.lane)
      places = places.filter { $0.value.lane != place.lane || $0.value.phase != .posted }
    }
    return true
  }

  /// Withdraws the turn of an item that has not started; returns `false` if the item has started.
  mutating func withdraw(_ item: Int) -> Bool {
    guard isWaiting(item) else { return false }
    places[item] = nil
    return true
  }

  /// Withdraws a turn that has not started, and the turns of the later items of its lane, which would otherwise overtake it.
  mutating func withdraw(_ turn: Turn) {
    guard let place = places[turn.item], place.turn == turn, place.phase == .posted else { return }
    places = places.filter { item, other in
      item < turn.item || other.lane != place.lane || other.phase != .posted
    }
  }

  /// Forgets an item that the outbox has removed.
  mutating func forget(_ item: Int) { places[item] = nil }

  /// Lets lanes that have stopped start items again.
  mutating func resume(where isChosen: (_ lane: Int) -> Bool = { _ in true }) {
    stopped = stopped.filter { !isChosen($0) }
  }
}

extension DispatchOutcome {
  /// Whether an item is done after its request had this outcome.
  var endsItem: Bool {
    switch self {
    case .carriedOut: true
    case .failed(let error): !(error is CancellationError)
    case .superseded, .dropped, .fresh, .joined, .callerCancelled, .deadlock: false
    }
  }
}
