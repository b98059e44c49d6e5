extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Reduces every event into a holder's state, in a task of a bag that does not keep the holder alive.
  ///
  /// ```swift
  /// ticks.pipe(to: node, in: node.bag) { tick, state in state.count = tick }
  /// ```
  ///
  /// The task ends with this sequence, with its error, with the bag, or when the holder goes. An event
  /// that was taken too late for that goes back to an `EventSequence`, where another iterator gets it.
  /// Operators of this sequence run in that task, not on the holder: what they read of its state may be
  /// older than the state that is reduced. A `filter(with:_:)` of the same holder that stands directly
  /// before the pipe is the exception: it decides on the state that is reduced.
  ///
  /// - Parameters:
  ///   - holder: Whose state is reduced; it is held weakly.
  ///   - bag: What ends the task.
  ///   - reduce: Brings one event into the state, in place, in one step.
  ///   - onError: Hears of this sequence's error; the state keeps its last value.
  /// - Returns: The entry that ends this pipe alone.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    _ reduce: @escaping @Sendable (Element, inout Holder.State) -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    carry(to: holder, in: bag, onError: onError) { _, holder, event in
      await holder.reduce { reduce(event, &$0) }
    }
  }

  /// Makes every element the holder's state, in a task of a bag that does not keep the holder alive.
  ///
  /// - Parameters:
  ///   - holder: Whose state is written; it is held weakly.
  ///   - bag: What ends the task.
  ///   - onError: Hears of this sequence's error; the state keeps its last value.
  /// - Returns: The entry that ends this pipe alone.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry where Element == Holder.State {
    carry(to: holder, in: bag, onError: onError) { _, holder, state in
      // The old state is returned, so that it dies outside the lock.
      _ = await holder.reduce { current in
        defer { current = state }
        return current
      }
    }
  }

  /// Hands each event to a holder that is not kept alive, in a task of a bag.
  ///
  /// The task belongs to the bag and not to the dispatch that may be running: what it writes is not
  /// dropped when that is superseded (O4).
  @inlinable
  package func carry<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (Failure) -> Void,
    _ handle: @escaping @Sendable (isolated (any Actor)?, Holder, Element) async -> Void
  ) -> TaskBag.Entry {
    let core = holder.knot.core
    let ending = core.addEnding {}
    let reference = WeakReference(holder)
    let entry = Dispatch.unbound {
      bag.add {
        do throws(Failure) {
          try await self.loop(on: Holder.home, to: reference, handle)
        } catch {
          onError(error)
        }
        core.removeEnding(ending)
      }
    }
    if !core.replaceEnding(ending, with: entry.cancel) { entry.cancel() }
    return entry
  }

  /// Takes events until they end, the task is cancelled, or the holder has gone.
  ///
  /// Between two events nothing but a weak reference is held. The strong one is made and dropped on the
  /// isolation of the loop, the holder's `home`, because it could be the last (S17). So `handle` is
  /// isolated there, too: a nonisolated closure would leave it.
  @inlinable
  func loop<Holder: StateHolder>(
    on isolation: isolated (any Actor)?, to holder: WeakReference<Holder>,
    _ handle: (isolated (any Actor)?, Holder, Element) async -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.next(isolation: isolation) {
      guard !Task.isCancelled, let holder = holder.object else {
        return iterator.giveBackIfShared(event)
      }
      await handle(isolation, holder, event)
      if slice.isOver() { await slice.giveWay() }
    }
  }
}
