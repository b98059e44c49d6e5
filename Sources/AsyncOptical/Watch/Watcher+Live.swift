public import AsyncKnot

extension Watcher {
  /// Calls a handler with each value, on the isolation of its closure, one at a time and in order.
  ///
  /// ```swift
  /// let control = feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
  /// control.unsubscribe()   // a pause
  /// control.subscribe()     // goes on with the newest
  /// ```
  /// The current value comes first, then newer ones. The watching ends with the holder, the bag, or
  /// `cancel()`; without a bag it ends with the holder or `cancel()`. What the closure captures is
  /// kept until then. After `unsubscribe()`, `cancel()` or the bag's `cancel()` has returned on the
  /// handler's isolation, the handler is not called again. It sees the task-local values of the
  /// caller of `live`. A watching made in a dispatch belongs to the bag, not to the dispatch: it
  /// goes on when the dispatch is superseded.
  ///
  /// - Parameters:
  ///   - bag: The bag in which the watching runs; cancelling the bag ends the watching.
  ///   - handler: Called with each value.
  /// - Returns: The control that pauses and ends this watching alone; it may be dropped.
  @discardableResult
  public func live(
    in bag: TaskBag? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Value) async -> Void
  ) -> WatchControl {
    watching(PlainHandler(body: handler), in: bag, isolation: handler.isolation)
  }

  /// Calls a handler with an object that is not kept alive; the watching ends when the object is
  /// gone.
  ///
  /// <!-- sample:
  /// @MainActor final class FeedView {
  ///   let binding = ViewBinding<Feed>()
  ///   func show(_ state: Feed.State) {}
  ///   func state(viewBinder feed: Feed) { … }
  /// }
  /// -->
  /// ```swift
  /// feed.watch.live(with: self, in: binding.bag) { view, state in view.show(state) }
  /// ```
  /// Where the object is an actor, the handler is not isolated to it: `await monitor.show(state)`.
  /// With a bag that ends with the object, the closure's captured values are released with it.
  /// Without a bag, an object that holds a state uses its own bag. For any other object the
  /// watching ends at the next value after the object is gone, or soon after other watchings of the
  /// same holder begin.
  ///
  /// - Parameters:
  ///   - object: The object that the handler works on, held weakly.
  ///   - bag: The bag in which the watching runs; cancelling the bag ends the watching.
  ///   - handler: Called with the object and each value.
  /// - Returns: The control that pauses and ends this watching alone; it may be dropped.
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
