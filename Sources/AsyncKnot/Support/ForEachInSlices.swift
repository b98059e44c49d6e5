extension AsyncSequence {
  /// Calls a body with each element, on one isolation, and gives way between two slices.
  ///
  /// Every loop of the package over a sequence that is not its own is this one.
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
