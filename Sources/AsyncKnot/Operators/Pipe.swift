extension AsyncSequence where Self: Sendable {
  /// Reduces every event into a holder's state, in a loop that runs on the holder.
  ///
  /// ```swift
  /// await ticks.pipe(to: node) { tick, state in state.count = tick }
  /// ```
  /// The call returns when this sequence ends; most sequences end when the task is cancelled. The
  /// caller keeps the holder alive for as long as the loop runs. Operators of this sequence run on
  /// the holder, too: no write comes between their read of its state and the reduction.
  ///
  /// - Throws: This sequence's own error; the state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(
    to holder: Holder, _ reduce: @Sendable (Element, inout Holder.State) -> Void
  ) async throws(Failure) {
    try await holder.consume(self, reduce)
  }

  /// Makes every element the holder's state; ends, and throws, as `pipe(to:_:)` does with a reducer.
  @inlinable public func pipe<Holder: StateHolder>(to holder: Holder) async throws(Failure)
  where Element == Holder.State {
    // The reducer returns the old state, so that it is released outside the lock.
    try await holder.consume(self) { state, current in
      defer { current = state }
      return current
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Reduces every event into a holder's state, in a task of a bag that does not keep the holder
  /// alive.
  ///
  /// ```swift
  /// ticks.pipe(to: node, in: node.knot.bag) { tick, state in state.count = tick }
  /// ```
  /// The task ends with this sequence, with its error, with the bag, or when the holder goes. After
  /// a `cancel()` on the holder's isolation nothing is reduced. Operators of this sequence run in the
  /// task, not on the holder: the state they read may be older than the state that is reduced.
  @inlinable @discardableResult
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
  @inlinable @discardableResult
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
    while let event = try await iterator.nextUnlessCancelled(isolation: isolation),
      let target = target.object
    {
      await handle(isolation, target, event)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}

/// One event for the loop of a holder, which looks at the cancellation on the holder's isolation.
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

// What is not piped into: the compiler shows what to write instead.
extension AsyncSequence where Self: Sendable {
  /// Is refused: only a `StateHolder` is written from outside.
  @available(
    *, unavailable,
    message:
      "only a StateHolder can be piped into; write 'send(to:in:)' for an opticle or a binder, of requests or commands, and for a data source 'pipe(to:in:) { element, snapshot in … }' (the article Words explains holder and binder)"
  )
  public func pipe<Source: StateSource>(to source: Source) async throws(Failure) {}

  /// Is refused: only a `StateHolder` is written from outside.
  @available(
    *, unavailable,
    message:
      "only a StateHolder can be piped into; write 'send(to:in:)' for an opticle or a binder, of requests or commands, and for a data source 'pipe(to:in:) { element, snapshot in … }' (the article Words explains holder and binder)"
  )
  public func pipe<Source: StateSource>(to source: Source, in bag: TaskBag) {}
}
