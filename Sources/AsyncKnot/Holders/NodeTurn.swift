/// The result of `layout()` for a node that has no layout of its own.
///
/// The compiler infers a node's `Layout` from its `layout()`. So the type shows that a node has
/// none, and no layout is ever queued for it.
public enum NoLayout: Sendable {
  /// There is nothing to lay out.
  case nothing
}

extension KnotCore {
  /// Calls the hooks of a node for an accepted state, and queues a layout if one is needed.
  ///
  /// - Parameters:
  ///   - delivery: The state and its handlers.
  ///   - layout: The `Layout` of the node.
  ///   - update: Calls the node's `update`, on the holder's isolation.
  ///   - queueLayout: Starts the task that lays out, at the writer's priority.
  @inlinable
  func deliver<Layout>(
    _ delivery: Delivery<State>?, layout: Layout.Type, _ update: (State) -> Void,
    _ queueLayout: () -> Void
  ) {
    if let delivery { runTurn(delivery, update) }
    if Layout.self != NoLayout.self, turn.requestLayout(at: Task.currentPriority) { queueLayout() }
  }

  /// Registers a handler that is called for every state from now on, until its observation ends.
  ///
  /// - Parameters:
  ///   - holder: The holder; traps if another object writes this knot.
  ///   - handler: A function of the holder and a state, isolated to the holder. It is called only in
  ///     the holder's turns, and so on its isolation: the cast leaves out what the type says of that.
  /// - Returns: The observation that ends the handler.
  @unsafe func register<Holder: AnyObject & Sendable, Isolated: Sendable>(
    of holder: Holder, unsafeIsolated handler: Isolated
  ) -> StateObservation {
    let call = unsafe unsafeBitCast(handler, to: (@Sendable (Holder, State) -> Void).self)
    // The holder is there in its turns, though perhaps in its `isolated deinit`, where a weak or a
    // checked reference would not find it.
    let handler = Handler<State>(of: holder) { [unowned(unsafe) holder] in
      unsafe call(holder, $0)
    }
    let ticket = withStorage { storage in
      storage.claim(for: ObjectIdentifier(holder))
      return storage.handlers.insert(handler)
    }
    return StateObservation { [self] in
      handler.end()
      remove { $0.handlers.remove(ticket) }
    }
  }
}
