/// The result of `layout()` for a node that has no layout of its own.
///
/// The compiler infers a node's `Layout` from its `layout()`. So the type shows that a node has
/// none, and no layout is ever queued for it.
public enum NoLayout: Sendable {
  /// There is nothing to lay out.
  case nothing
}

/// How a node's writes call its hooks: the part that does not depend on the isolation.
extension KnotCore {
  /// Calls the hooks for an accepted state, and queues a layout if one is needed.
  ///
  /// - Parameters:
  ///   - delivery: The state and its handlers; `nil` calls no hook.
  ///   - priority: The writer's priority. A layout of lower priority that is queued already does
  ///     not count.
  ///   - layout: The `Layout` of the node.
  ///   - callHooks: Calls `update` and the handlers, on the holder's isolation.
  ///   - queueLayout: Starts the task that lays out.
  @inlinable
  func deliver<Layout>(
    _ delivery: Delivery<State>?, at priority: @autoclosure () -> TaskPriority, layout: Layout.Type,
    _ callHooks: (Delivery<State>) -> Void, _ queueLayout: () -> Void
  ) {
    if let delivery { runTurn(delivery, callHooks) }
    if Layout.self != NoLayout.self, turn.requestLayout(at: priority()) { queueLayout() }
  }

  /// Reduces every event of a sequence, on the holder's isolation, and calls the hooks.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - isolation: The holder's isolation.
  ///   - holder: The holder's identity.
  ///   - layout: The `Layout` of the node.
  ///   - reduce: Applies one event to the state, in place.
  ///   - callHooks: Calls `update` and the handlers.
  ///   - queueLayout: Starts the task that lays out.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  func consume<Events: AsyncSequence, Layout>(
    _ events: Events, on isolation: isolated (any Actor)?, by holder: ObjectIdentifier,
    layout: Layout.Type, _ reduce: (Events.Element, inout State) -> Void,
    _ callHooks: (Delivery<State>) -> Void, _ queueLayout: () -> Void
  ) async throws(Events.Failure) {
    var priority = Task.currentPriority
    var iterator = events.makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.next(isolation: isolation) {
      let (_, delivery) = write(by: holder) { reduce(event, &$0) }
      deliver(delivery, at: priority, layout: layout, callHooks, queueLayout)
      guard slice.isOver() else { continue }
      turn.pauseBurst(at: priority)
      await Slice.giveWay()
      let postponed = turn.resumeBurst(at: priority)
      // The task may have been escalated meanwhile.
      priority = Task.currentPriority
      if let postponed, turn.requestLayout(at: max(postponed, priority)) { queueLayout() }
    }
  }
}
