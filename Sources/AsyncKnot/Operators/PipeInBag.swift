extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Reduces every event into a holder's state, in a task of a bag that does not keep the holder
  /// alive.
  ///
  /// ```swift
  /// ticks.pipe(to: node, in: node.bag) { tick, state in state.count = tick }
  /// ```
  ///
  /// The task ends with this sequence, with its error, with the bag, or when the holder goes. After
  /// a `cancel()` on the holder's isolation nothing is reduced. Operators of this sequence run in the
  /// task, not on the holder: the state they read may be older than the state that is reduced.
  ///
  /// - Parameters:
  ///   - holder: The holder whose state is reduced, held weakly.
  ///   - bag: The bag in which the task runs; cancelling the bag ends the pipe.
  ///   - reduce: Applies one event to the state, in place, in one synchronous step.
  ///   - onError: Called with this sequence's error, in the pipe's task; the state keeps its last
  ///     value.
  /// - Returns: The entry that ends this pipe alone.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    _ reduce: @escaping @Sendable (Element, inout Holder.State) -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    startLoop(for: holder, on: Holder.home, in: bag, onError: onError) { _, holder, event in
      await holder.consume(Single(event), reduce)
    }
  }

  /// Makes every element the holder's state, in a task of a bag, as `pipe(to:in:_:onError:)` does
  /// with a reducer.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry where Element == Holder.State {
    startLoop(for: holder, on: Holder.home, in: bag, onError: onError) { _, holder, state in
      await Single(state).pipe(to: holder)
    }
  }

  /// Passes each event to a source that is held weakly, in a task of a bag that ends with the source.
  ///
  /// The loop runs on `home`, where the source must be released; `nil` is anywhere. It belongs to the
  /// bag, not to the dispatch that may be running (O4).
  @inlinable
  package func startLoop<Target: StateSource>(
    for target: Target, on home: (any Actor)? = nil, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void,
    _ handle: @escaping @Sendable (isolated (any Actor)?, Target, Element) async -> Void
  ) -> TaskBag.Entry {
    let reference = WeakReference(target)
    return Errand.none {
      bag.add(on: home, with: target.knot.dependents) {
        do throws(Failure) {
          try await self.loop(on: home, for: reference, handle)
        } catch {
          onError(error)
        }
      }
    }
  }

  /// Takes events until the sequence ends, the task is cancelled, or the receiver is gone.
  ///
  /// The strong reference, which may be the last one, is made and dropped on the isolation of the loop
  /// (S17). A nonisolated `handle` would leave that isolation.
  @inlinable
  package func loop<Target: StateSource>(
    on isolation: isolated (any Actor)?, for target: WeakReference<Target>,
    _ handle: (isolated (any Actor)?, Target, Element) async -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.next(isolation: isolation), !Task.isCancelled,
      let target = target.object
    {
      await handle(isolation, target, event)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}

/// One event for the loop of a holder, on whose isolation `next` is called: nothing comes between the
/// look at the cancellation and the reduction.
@usableFromInline
struct Single<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
  @usableFromInline typealias Failure = Never

  @usableFromInline var element: Element?

  @inlinable
  init(_ element: Element) { self.element = element }

  @inlinable
  func makeAsyncIterator() -> Self { self }

  @inlinable
  mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    element == nil || Task.isCancelled ? nil : element.take()
  }

  @inlinable
  nonisolated(nonsending) mutating func next() async -> Element? {
    await next(isolation: #isolation)
  }
}
