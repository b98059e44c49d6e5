/// Rows that the user moves on the surface, without a snapshot.
extension ApplyQueue {
  /// Reserves the surface for a row that the user moved.
  ///
  /// - Returns: The steps to carry out; nil while the surface is being called or another row is
  ///   moved.
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

  /// Continues after the row has its new place: the request that was being prepared is compared
  /// again.
  mutating func endMove() -> [Step] {
    guard case .moving(let entry) = phase else { return [] }
    guard let entry else { return goOn() }
    phase = .idle
    return prepare(entry)
  }

  /// Submits a request unless another one was submitted after the one with this order.
  ///
  /// - Returns: The steps to carry out; nil if the request was not submitted.
  mutating func submit(_ request: Request, ifNoneAfter order: UInt64) -> [Step]? {
    guard order == lastOrder else { return nil }
    return submit(request, as: announce())
  }
}
