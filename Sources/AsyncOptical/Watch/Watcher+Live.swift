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
  /// The handler is not called again once `unsubscribe()`, `cancel()` or the bag's `cancel()` has returned
  /// on its isolation. It sees the task-local values of whoever calls `live`. Called within a dispatch, it
  /// belongs to the bag and not to the dispatch: superseding that does not touch it.
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
    watching(PlainHandler(body: handler), in: bag, isolation: handler.isolation)
  }

  /// Calls a handler with an object that is not kept alive; the watching ends when the object is gone.
  ///
  /// ```swift
  /// feed.watch.live(with: self, in: binding.bag) { view, state in view.show(state) }
  /// ```
  /// Name a bag that ends with the object, and what the closure captures goes with it. Without a bag an
  /// object that holds a state brings its own. Any other object is looked after when the next value comes,
  /// or when others begin to watch the same holder.
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
    watching(
      ObjectHandler(object, handler), in: bag ?? (object as? any StateSource)?.bag,
      isolation: handler.isolation)
  }

  private func watching(
    _ handler: some WatchHandler<Value>, in bag: TaskBag?, isolation: (any Actor)?
  ) -> WatchControl {
    let watching = Watching(start, handler, crowd: crowd, bag: bag)
    watching.resume()
    watching.run(in: bag, isolation: isolation)
    if handler.mayLoseObject { crowd.add(watching) }
    return WatchControl(watching)
  }
}
