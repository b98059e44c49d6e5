public import AsyncKnot

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Shows every element as a snapshot, in a loop; elements that come while one is shown may be skipped by
  /// sequences of states, so that the newest wins.
  ///
  /// ```swift
  /// await model.states.pipe(to: source) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// It returns when this sequence ends, which most do when the task is cancelled. Errors of the surface do
  /// not end it: the next snapshot is a reload, and ``DiffableDataSource/failures`` tells.
  ///
  /// - Parameters:
  ///   - source: Where to show them.
  ///   - animatingDifferences: Whether the surface should let changes be seen.
  ///   - snapshot: Makes a snapshot of an element.
  /// - Throws: This sequence's own error.
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, animatingDifferences: Bool = true,
    _ snapshot: @Sendable (Element) -> DiffableSnapshot<Section>
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    while let element = try await iterator.next(isolation: nil), !Task.isCancelled {
      _ = try? await source.apply(snapshot(element), animatingDifferences: animatingDifferences)
    }
  }

  /// Shows every element as a snapshot, in a task of a bag that does not keep the data source alive.
  ///
  /// ```swift
  /// model.states.pipe(to: source, in: bag) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// The task ends with this sequence, with the bag, or at the first element after the data source has
  /// gone.
  ///
  /// - Parameters:
  ///   - source: Where to show them; it is held weakly.
  ///   - bag: What ends the task.
  ///   - animatingDifferences: Whether the surface should let changes be seen.
  ///   - snapshot: Makes a snapshot of an element.
  ///   - onError: Hears of this sequence's own error.
  /// - Returns: The entry that ends this pipe alone.
  @discardableResult
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, in bag: TaskBag, animatingDifferences: Bool = true,
    _ snapshot: @escaping @Sendable (Element) -> DiffableSnapshot<Section>,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    bag.add { [weak source] in
      do throws(Failure) {
        var iterator = self.makeAsyncIterator()
        while let element = try await iterator.next(isolation: nil), !Task.isCancelled {
          guard let source else { return }
          _ = try? await source.apply(
            snapshot(element), animatingDifferences: animatingDifferences)
        }
      } catch {
        onError(error)
      }
    }
  }
}
