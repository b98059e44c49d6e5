/// What `layout()` of a node gives where the node has none of its own.
///
/// The compiler infers a node's `Layout` from its `layout()`, so a node without one is known by its type,
/// and nothing is ever queued for it.
public enum NoLayout: Sendable {
  /// There is nothing to lay out.
  case nothing
}

/// How a node's writes reach its hooks: the part that does not depend on the isolation.
extension KnotCore {
  /// Calls the hooks for an accepted state, and queues a layout where one has to be.
  ///
  /// - Parameters:
  ///   - delivery: The state.
  ///   - priority: The priority of the writer; a layout that is on its way at a lower one is overtaken.
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
  ///   - events: What is reduced.
  ///   - isolation: The holder's isolation.
  ///   - holder: The holder.
  ///   - layout: The `Layout` of the node.
  ///   - reduce: Brings one event into the state.
  ///   - callHooks: Calls `update` and the handlers.
  ///   - queueLayout: Starts the task that lays out.
  /// - Throws: The sequence's own error.
  @inlinable
  func consume<Events: AsyncSequence, Layout>(
    _ events: Events, on isolation: isolated (any Actor)?, by holder: ObjectIdentifier,
    layout: Layout.Type, _ reduce: (Events.Element, inout State) -> Void,
    _ callHooks: (Delivery<State>) -> Void, _ queueLayout: () -> Void
  ) async throws(Events.Failure) {
    let priority = Task.currentPriority
    var iterator = events.makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.next(isolation: isolation) {
      let (_, delivery) = write(by: holder) { reduce(event, &$0) }
      deliver(delivery, at: priority, layout: layout, callHooks, queueLayout)
      guard slice.isOver() else { continue }
      turn.pauseBurst()
      await slice.giveWay()
      if turn.resumeBurst(), turn.requestLayout(at: priority) { queueLayout() }
    }
  }
}
