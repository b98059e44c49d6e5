extension AsyncSequence {
  /// Calls a body with each element, on one isolation, and yields after each slice.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the loop and the body run. The loop leaves the actor only
  ///     where the sequence suspends and where the loop yields.
  ///   - body: Called with each element.
  /// - Throws: The sequence's own error.
  @inlinable
  package func forEachInSlices(
    on isolation: isolated (any Actor)?, _ body: (Element) -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let element = try await iterator.next(isolation: isolation) {
      body(element)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}
