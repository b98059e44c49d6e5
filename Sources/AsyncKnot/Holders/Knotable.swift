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
/// Every accepted state is stored first, then `update` is called, then the handlers given to `observe`;
/// a layout is arranged for the end of the burst. A state that `update` itself writes is delivered after
/// the one `update` was called with.
public protocol Knotable: Actor, StateHolder where State: KnotState, Hooks == NodeHooks {
  /// What `layout()` gives: nothing, inferred.
  associatedtype Layout = NoLayout

  /// Draws a state: called for every accepted one, in order, on the holder.
  ///
  /// It is not called for the default state; `render()` draws that.
  ///
  /// - Parameter state: The state that was accepted.
  func update(_ state: State)

  /// Arranges what `update` drew: called once a burst, after the newest update. By default, nothing.
  ///
  /// Write it as `func layout() { … }`. It runs in a task of its own without task-local values, at the
  /// priority of the most urgent writer of the burst.
  ///
  /// - Returns: Nothing.
  func layout() -> Layout
}

extension Knotable where Layout == NoLayout {
  /// Arranges nothing.
  public func layout() -> NoLayout { .nothing }
}

extension Knotable {
  /// Exchanges the state, tells the observers, and calls the hooks.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    deliver(knot.core.replace(with: state, by: ObjectIdentifier(self)))
  }

  /// Mutates the state in place, in one synchronous step on the actor, and calls the hooks.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let (result, delivery) = knot.core.write(by: ObjectIdentifier(self), body)
    deliver(delivery)
    return result
  }

  /// Reduces every event of a sequence, in a loop that runs on the actor.
  ///
  /// - Parameters:
  ///   - events: What is reduced.
  ///   - reduce: Brings one event into the state.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    try await knot.core.consume(
      events, on: self, by: ObjectIdentifier(self), layout: Layout.self, reduce, callHooks(for:),
      queueLayout)
  }

  /// Draws the current state, the default one included: `update`, then `layout`, at once.
  public func render() {
    knot.core.turn.clearLayout()
    update(knot.state)
    _ = layout()
  }

  /// Calls a handler for every state accepted from now on, within the turn that accepts it.
  ///
  /// ```swift
  /// let observation = await node.observe { node, state in node.log(state.title) }
  /// ```
  ///
  /// The handler runs synchronously on the actor, after `update`, in order: no task, no hop, no frame
  /// in between. It runs in the task of the writer and sees that task's local values.
  ///
  /// - Parameter handler: What to do with a state.
  /// - Returns: What keeps the handler registered; dropping it ends the observation.
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
