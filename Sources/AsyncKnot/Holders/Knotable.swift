/// An actor node: it holds a state and draws it.
///
/// ```swift
/// actor ProfileNode: Knotable {
///   struct State: KnotState {
///     var title = "-", subtitle = "-"
///     static func defaultState() -> State { State() }
///   }
///   let knot = Knot<State>()
///   func update(_ state: State) { print(state.title, state.subtitle) }
/// }
/// ```
///
/// Every accepted state is stored first. Then `update` is called, then the handlers given to
/// `observe`. `layout` is queued and runs at the end of the burst. A state that `update` itself
/// writes is delivered after the one that `update` was called with.
public protocol Knotable: Actor, StateHolder where State: KnotState, Hooks == NodeHooks {
  /// The result type of `layout()`, inferred: `Void` for a node that has the method, else
  /// `NoLayout`.
  associatedtype Layout = NoLayout

  /// Draws a state; called for every accepted state, in order, on the actor.
  ///
  /// The default state is not passed to `update`; `render()` draws it.
  ///
  /// - Parameter state: The accepted state.
  func update(_ state: State)

  /// Lays out what `update` drew; called at most once per burst, after the newest update.
  ///
  /// Write it as `func layout() { … }`; the default does nothing. The call runs on the actor, in a
  /// task of its own without task-local values, at the priority of the most urgent writer of the
  /// burst.
  ///
  /// - Returns: Nothing.
  func layout() -> Layout
}

extension Knotable where Layout == NoLayout {
  /// Does nothing; a node without a layout has this method.
  ///
  /// - Returns: `.nothing`.
  public func layout() -> NoLayout { .nothing }
}

extension Knotable {
  /// Replaces the state, notifies the observers, and calls the hooks.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    deliver(knot.core.replace(with: state, by: ObjectIdentifier(self)))
  }

  /// Mutates the state in place, in one synchronous step on the actor, and calls the hooks.
  ///
  /// Inside the closure, reading a holder's state or reducing again is an error and traps.
  ///
  /// - Parameter body: The reducer; its `inout` parameter is the state.
  /// - Returns: What the reducer returned.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let (result, delivery) = knot.core.write(by: ObjectIdentifier(self), body)
    deliver(delivery)
    return result
  }

  /// Reduces every event of a sequence, in a loop that runs on the actor, and calls the hooks.
  ///
  /// The method returns when the sequence ends. The loop yields after each slice of events that
  /// were there at once.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    try await knot.core.consume(
      events, on: self, by: ObjectIdentifier(self), layout: Layout.self, reduce, callHooks(for:),
      queueLayout)
  }

  /// Draws the current state, also the default one: calls `update`, then `layout`, before it
  /// returns.
  ///
  /// A queued layout is dropped.
  public func render() {
    knot.core.turn.clearLayout()
    update(knot.state)
    _ = layout()
  }

  /// Calls a handler for every state that is accepted from now on, within the turn that accepts it.
  ///
  /// ```swift
  /// let observation = await node.observe { node, state in node.log(state.title) }
  /// ```
  ///
  /// The handler runs synchronously on the actor, after `update`, in order: no task, no hop, no
  /// frame in between. It runs in the task of the writer and sees that task's local values.
  ///
  /// - Parameter handler: Called with the node and the state.
  /// - Returns: The observation; the handler is removed when it is cancelled or dropped.
  public func observe(
    _ handler: @escaping @Sendable (isolated Self, State) -> Void
  ) -> StateObservation {
    knot.core.register(ActorHandler<Self, State>(handler), of: self)
  }

  @inlinable
  func deliver(_ delivery: Delivery<State>?) {
    knot.core.deliver(
      delivery, at: Task.currentPriority, layout: Layout.self, callHooks(for:), queueLayout)
  }

  @inlinable
  func callHooks(for delivery: Delivery<State>) {
    update(delivery.state)
    for slot in delivery.handlers {
      guard let element = slot.element else { continue }
      ActorHandler<Self, State>.live(element)?.call(self, delivery.state)
    }
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { [weak self] in await self?.layoutIfRequested() }
  }

  private func layoutIfRequested() {
    if knot.core.turn.takeLayout() { _ = layout() }
  }
}
