public import AsyncKnot

extension Watcher {
  /// Calls a handler with each value, on the isolation of its closure, one at a time and in order.
  ///
  /// ```swift
  /// let control = feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
  /// control.unsubscribe()   // a pause
  /// control.subscribe()     // goes on with the newest
  /// ```
  /// The value that is current now comes first, then newer ones. It ends with the holder, the bag, or
  /// `cancel()`; without a bag the holder alone decides. What the closure captures is kept until then.
  /// A handler that is synchronous is not called again once `unsubscribe()`, `cancel()` or the bag's
  /// `cancel()` has returned on its isolation.
  ///
  /// - Parameters:
  ///   - bag: What ends the watching.
  ///   - handler: What to do with a value.
  /// - Returns: What pauses and ends this watching alone; it may be dropped.
  @discardableResult
  public func live(
    in bag: TaskBag? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Value) async -> Void
  ) -> WatchControl {
    let control = WatchControl(bag: bag) { [start] in
      let start = start()
      return { await start.deliver(to: handler, isolation: handler.isolation) }
    }
    control.subscribe()
    return control
  }

  /// Calls a handler with an object that is not kept alive; the watching ends when the object is gone.
  ///
  /// ```swift
  /// feed.watch.live(with: self, in: binding.bag) { view, state in view.show(state) }
  /// ```
  ///
  /// - Parameters:
  ///   - object: What the handler works on, held weakly.
  ///   - bag: What ends the watching.
  ///   - handler: What to do with a value.
  /// - Returns: What pauses and ends this watching alone; it may be dropped.
  @discardableResult
  public func live<Object: AnyObject & Sendable>(
    with object: Object, in bag: TaskBag? = nil,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (Object, Value) async -> Void
  ) -> WatchControl {
    let reference = WeakReference(object)
    let control = WatchControl(bag: bag) { [start] in
      let start = start()
      return { await start.deliver(to: handler, with: reference, isolation: handler.isolation) }
    }
    control.subscribe()
    return control
  }
}

extension Watcher.Start {
  /// Runs on the isolation of the handler, so that a cancellation there is seen before each call.
  fileprivate func deliver(
    to handler: @isolated(any) @Sendable (Value) async -> Void, isolation: isolated (any Actor)?
  ) async {
    if let current, !Task.isCancelled { await handler(current) }
    let pull = makePull()
    while let value = await pull(isolation), !Task.isCancelled {
      await handler(value)
    }
  }

  fileprivate func deliver<Object>(
    to handler: @isolated(any) @Sendable (Object, Value) async -> Void,
    with reference: WeakReference<Object>, isolation: isolated (any Actor)?
  ) async {
    if let current, !Task.isCancelled, let object = reference.object {
      await handler(object, current)
    }
    let pull = makePull()
    while let value = await pull(isolation), !Task.isCancelled, let object = reference.object {
      await handler(object, value)
    }
  }
}

/// A reference that may cross isolations and keeps nothing alive.
private final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?
  init(_ object: Object?) { self.object = object }
}
