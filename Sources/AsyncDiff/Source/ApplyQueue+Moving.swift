/// What the user moves on the surface, without a snapshot.
extension ApplyQueue {
  /// Claims what is shown for a row that the user moved.
  ///
  /// - Returns: What to do; nil while the surface carries something out, or another row is moved.
  mutating func beginMove() -> [Step]? {
    switch phase {
    case .idle:
      phase = .moving(nil)
      return []
    case .preparing(let entry, let work):
      phase = .moving(entry)
      return abandon(work)
    case .showing, .moving: return nil
    }
  }

  /// Goes on after the row has its new place: what was being prepared is compared again.
  mutating func endMove() -> [Step] {
    guard case .moving(let entry) = phase else { return [] }
    guard let entry else { return goOn() }
    phase = .idle
    return prepare(entry)
  }

  /// Takes a request in unless another one was submitted after a certain one.
  mutating func submit(_ request: Request, ifNoneAfter order: UInt64) -> [Step]? {
    guard order == lastOrder else { return nil }
    return submit(request, as: announce())
  }
}
