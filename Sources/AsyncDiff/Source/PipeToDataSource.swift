public import AsyncKnot

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Shows every element as a snapshot, in a loop that waits for the surface after each element.
  ///
  /// ```swift
  /// await model.states.pipe(to: source) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// While the loop waits, a sequence of states keeps only the newest of the arriving elements, and the loop shows that element
  /// next. The call returns when this sequence ends or the caller's task is cancelled. An error of the surface does not end the
  /// loop: ``DiffableDataSource/failures`` delivers it, and the next snapshot reloads.
  ///
  /// - Parameters:
  ///   - source: The data source.
  ///   - animatingDifferences: Whether the surface animates the changes.
  ///   - snapshot: Creates the snapshot for an element.
  /// - Throws: This sequence's own error.
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, animatingDifferences: Bool = true,
    _ snapshot: @Sendable (Element) -> DiffableSnapshot<Section>
  ) async throws(Failure) {
    try await loop(on: nil, for: WeakReference(source)) { isolation, source, element in
      _ = await source.answer(
        to: snapshot(element), animated: animatingDifferences, isolation: isolation)
    }
  }

  /// Shows every element as a snapshot, in a task that runs in a bag, without keeping the data source alive.
  ///
  /// ```swift
  /// model.states.pipe(to: source, in: bag) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// The task ends when this sequence ends or throws, when the bag is cancelled or released, or when the data source is released.
  ///
  /// - Parameters:
  ///   - source: The data source, held weakly.
  ///   - bag: The bag in which the task runs; cancelling the bag ends the pipe.
  ///   - animatingDifferences: Whether the surface animates the changes.
  ///   - snapshot: Creates the snapshot for an element.
  ///   - onError: Called with this sequence's own error, in the pipe's task; by default, a debug build prints the first error of
  ///     each type.
  /// - Returns: The bag's entry; cancel it to end only this pipe.
  @discardableResult
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, in bag: TaskBag, animatingDifferences: Bool = true,
    _ snapshot: @escaping @Sendable (Element) -> DiffableSnapshot<Section>,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry {
    startLoop(for: source, in: bag, onError: onError) { isolation, source, element in
      _ = await source.answer(
        to: snapshot(element), animated: animatingDifferences, isolation: isolation)
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Shows every snapshot, in a loop that waits for the surface after each snapshot; throws this sequence's own error.
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, animatingDifferences: Bool = true
  ) async throws(Failure) where Element == DiffableSnapshot<Section> {
    try await pipe(to: source, animatingDifferences: animatingDifferences) { $0 }
  }

  /// Shows every snapshot, in a task that runs in a bag, without keeping the data source alive.
  ///
  /// <!-- sample: let library = DiffableDataSource(surface: surface) -->
  /// ```swift
  /// library.snapshots.pipe(to: source, in: bag)
  /// ```
  /// - Parameters:
  ///   - source: The data source, held weakly.
  ///   - bag: The bag in which the task runs; cancelling the bag ends the pipe.
  ///   - animatingDifferences: Whether the surface animates the changes.
  ///   - onError: Called with this sequence's own error, in the pipe's task; by default, a debug build prints the first error of
  ///     each type.
  /// - Returns: The bag's entry; cancel it to end only this pipe.
  @discardableResult
  public func pipe<Section>(
    to source: DiffableDataSource<Section>, in bag: TaskBag, animatingDifferences: Bool = true,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry where Element == DiffableSnapshot<Section> {
    pipe(to: source, in: bag, animatingDifferences: animatingDifferences, { $0 }, onError: onError)
  }
}
