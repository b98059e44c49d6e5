extension FilterWithStateSequence where Base: Sendable, Base.Element: Sendable {
  /// Reduces every event that passes, in a task of a bag that does not keep the holder alive.
  ///
  /// ```swift
  /// taps.filter(with: node) { _, state in state.count < 20 }
  ///   .pipe(to: node, in: node.bag) { _, state in state.count += 1 }   // never beyond 20
  /// ```
  ///
  /// If the predicate reads the state of the holder that is piped to, it runs on the holder
  /// directly before the reduction: no other write comes between. With another holder this is the
  /// pipe of any sequence.
  ///
  /// - Parameters:
  ///   - holder: The holder whose state is reduced, held weakly.
  ///   - bag: The bag in which the task runs; cancelling the bag ends the pipe.
  ///   - reduce: Applies one event to the state, in place, in one synchronous step.
  ///   - onError: Called with this sequence's error, in the pipe's task; the state keeps its last
  ///     value.
  /// - Returns: The entry that ends this pipe alone.
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    _ reduce: @escaping @Sendable (Element, inout Holder.State) -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    guard let same = holder.knot.core as? KnotCore<State>, same === core else {
      return carry(to: holder, home: Holder.home, in: bag, onError: onError) { _, holder, event in
        await holder.reduce { reduce(event, &$0) }
        return true
      }
    }
    let isIncluded = isIncluded
    return base.carry(to: holder, home: Holder.home, in: bag, onError: onError) {
      _, holder, event in
      // The loop of `consume` runs on the holder, and so does the predicate of its sequence.
      let passed = FilterWithStateSequence<Single<Element>, State>(
        base: Single(element: event), core: same, isIncluded: isIncluded)
      await holder.consume(passed, reduce)
      return true
    }
  }
}

/// A sequence of one element.
struct Single<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  let element: Element

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(element: element) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var element: Element?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      element.take()
    }

    nonisolated(nonsending) mutating func next() async -> Element? { element.take() }
  }
}
