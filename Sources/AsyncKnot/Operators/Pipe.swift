extension AsyncSequence where Self: Sendable {
  /// Reduces every event into a holder's state, in a loop that runs on the holder.
  ///
  /// ```swift
  /// await ticks.pipe(to: node) { tick, state in state.count = tick }
  /// ```
  /// The call returns when this sequence ends. Most sequences end when the task is cancelled. The call keeps the holder alive
  /// while the loop runs. The operators of this package also run on the holder, so no other write can happen between an
  /// operator's read of the holder's state and the reduction, unless an operator of another library follows.
  ///
  /// - Throws: This sequence's own error. The state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(
    to holder: Holder, _ reduce: @Sendable (Element, inout Holder.State) -> Void
  ) async throws(Failure) {
    try await holder.consume(self, reduce)
  }

  /// Replaces the holder's state with every element.
  ///
  /// Returns and throws under the same conditions as `pipe(to:_:)`.
  @inlinable public func pipe<Holder: StateHolder>(to holder: Holder) async throws(Failure)
  where Element == Holder.State {
    // Returning the old state releases it outside the lock.
    try await holder.consume(self) { state, current in
      defer { current = state }
      return current
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Reduces every event into a holder's state, in a task that belongs to a bag and does not keep the holder alive.
  ///
  /// ```swift
  /// ticks.pipe(to: node, in: node.knot.bag) { tick, state in state.count = tick }
  /// ```
  /// The task ends when this sequence ends or throws, when the bag is cancelled, or when the holder is released. After a
  /// `cancel()` on the holder's isolation no event is reduced. The operators of this sequence run in the task, not on the holder,
  /// so the state that they read may be older than the state that is reduced.
  ///
  /// If this sequence throws, `onError` is called in the task; without `onError`, a debug build prints the first error of each
  /// type.
  @inlinable @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    _ reduce: @escaping @Sendable (Element, inout Holder.State) -> Void,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry {
    startLoop(for: holder, on: Holder.home, in: bag, onError: onError) { _, holder, event in
      await holder.consume(Single(event), reduce)
    }
  }

  /// Replaces the holder's state with every element, in a task that belongs to a bag.
  ///
  /// Otherwise the method works like `pipe(to:in:_:onError:)` with a reducer.
  @inlinable @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry where Element == Holder.State {
    startLoop(for: holder, on: Holder.home, in: bag, onError: onError) { _, holder, state in
      await Single(state).pipe(to: holder)
    }
  }

  /// Passes each event to a weakly referenced source, in a task that belongs to a bag and ends when the source is released.
  ///
  /// The loop runs on `home`, because its reference to the source may be the last one, and the source must be released there
  /// (S17). If `home` is `nil`, the loop runs on no actor. The task belongs to the bag, not to a dispatch that may be running
  /// (O4).
  @inlinable
  package func startLoop<Target: StateSource>(
    for target: Target, on home: (any Actor)? = nil, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void,
    _ handle: @escaping @Sendable (isolated (any Actor)?, Target, Element) async -> Void
  ) -> TaskBag.Entry {
    let reference = WeakReference(target)
    return CurrentMessage.without {
      bag.add(on: home, with: target.knot.dependents) {
        await self.loop(on: home, for: reference, onError: onError, handle)
      }
    }
  }

  /// Takes events as `loop(on:for:_:)` does, and reports the sequence's error on the isolation of the loop, unless the task is
  /// cancelled (S21).
  @inlinable
  func loop<Target: StateSource>(
    on isolation: isolated (any Actor)?, for target: WeakReference<Target>,
    onError: (Failure) -> Void,
    _ handle: (isolated (any Actor)?, Target, Element) async -> Void
  ) async {
    do throws(Failure) {
      try await loop(on: isolation, for: target, handle)
    } catch {
      if !Task.isCancelled { onError(error) }
    }
  }

  /// Takes events until the sequence ends, the task is cancelled, or the target is released.
  ///
  /// The loop's strong reference may be the last one, so it is created and released on the isolation of the loop (S17). `handle`
  /// takes the isolation as a parameter, because a nonisolated closure would leave that isolation.
  @inlinable
  package func loop<Target: StateSource>(
    on isolation: isolated (any Actor)?, for target: WeakReference<Target>,
    _ handle: (isolated (any Actor)?, Target, Element) async -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.nextUnlessCancelled(isolation: isolation),
      let target = target.object
    {
      await handle(isolation, target, event)
      if slice.isOver() { await Slice.yield() }
    }
  }
}

/// A sequence of one event.
///
/// A pipe in a bag passes each event to `consume` as such a sequence, because `consume` checks for cancellation on the holder.
@usableFromInline
struct Single<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
  @usableFromInline typealias Failure = Never

  @usableFromInline var element: Element?

  @inlinable init(_ element: Element) { self.element = element }

  @inlinable func makeAsyncIterator() -> Self { self }

  @inlinable
  mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { element.take() }

  @inlinable
  nonisolated(nonsending) mutating func next() async -> Element? {
    await next(isolation: #isolation)
  }
}

// Overloads for sources that are not holders, so that the compiler says what to write instead.
extension AsyncSequence where Self: Sendable {
  /// Unavailable: only a `StateHolder` can be written from outside.
  @available(
    *, unavailable,
    message:
      "'pipe(to:)' needs a StateHolder and, without a closure, elements of its state's type; for an opticle or a binder, send requests or commands with 'send(to:in:)', and for a data source, return a snapshot of its sections from the closure of 'pipe(to:in:)' (the article Words explains holder and binder)"
  )
  public func pipe<Source: StateSource>(
    to source: Source, _ reduce: ((Element, inout Source.State) -> Void)? = nil
  ) async throws(Failure) {}
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Unavailable: only a `StateHolder` can be written from outside.
  @available(
    *, unavailable,
    message:
      "'pipe(to:)' needs a StateHolder and, without a closure, elements of its state's type; for an opticle or a binder, send requests or commands with 'send(to:in:)', and for a data source, return a snapshot of its sections from the closure of 'pipe(to:in:)' (the article Words explains holder and binder)"
  )
  public func pipe<Source: StateSource>(
    to source: Source, in bag: TaskBag,
    _ reduce: ((Element, inout Source.State) -> Void)? = nil
  ) {}
}
