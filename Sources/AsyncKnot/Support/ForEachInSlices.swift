extension AsyncSequence {
  /// Calls a body with each element, on one isolation, and gives way between two slices.
  ///
  /// The loops of nodes and of pipes in a bag do more between two slices, so they are loops of their own.
  ///
  /// - Parameters:
  ///   - isolation: Where the loop and the body run; it is left only where the sequence suspends, and
  ///     between two slices.
  ///   - body: What to do with an element.
  /// - Throws: The sequence's own error.
  @inlinable
  package func forEachInSlices(
    on isolation: isolated (any Actor)?, _ body: (Element) -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let element = try await iterator.next(isolation: isolation) {
      body(element)
      if slice.isOver() { await slice.giveWay() }
    }
  }
}
