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
/// The node stores each accepted state, then calls `update`, then the handlers passed to `observe`, and queues a call to
/// `layout`. If `update` itself writes a state, that state is delivered after the one that `update` was called with.
public protocol Knotable: Actor, StateHolder where State: KnotState {
  /// Always `Never`, as for ``StateActor``, because the changes of a node do not have a cause.
  associatedtype ChangeCause = Never where ChangeCause == Never

  /// The result type of `layout()`.
  ///
  /// The type is inferred: `Void` if the node has the method, otherwise `Never?`.
  associatedtype Layout = Never?

  /// Draws a state.
  ///
  /// The method is called for every accepted state, in order, on the actor. The default state is not passed to `update`. To
  /// draw that state, call `render()`.
  func update(_ state: State)

  /// Lays out what `update` has drawn, as soon as possible, but at most once per frame of 16 ms.
  ///
  /// The newest state is always laid out.
  ///
  /// Declare the method as `func layout() { … }`; the default does nothing. A queued call runs on the actor, in its own task
  /// without task-local values, at the priority of the most urgent writer. `render()` calls the method immediately,
  /// but within `update` or a handler it leaves the call to the layout that follows the turn.
  func layout() -> Layout
}

extension Knotable where Layout == Never? {
  /// Does nothing.
  ///
  /// A node without its own `layout()` gets this method, and the package never queues a call to it.
  public func layout() -> Never? { nil }
}

extension Knotable {
  /// Replaces the state, notifies the observers, and calls the hooks.
  @inlinable
  public func sink(_ state: State) {
    let core = ownKnot.core
    deliver(core.exchange(for: state, by: ObjectIdentifier(self)), of: core)
  }

  /// Mutates the state in place, in one synchronous step on the actor, and calls the hooks.
  ///
  /// Like ``StateHolder/reduce(_:)``, this method traps if the closure uses a holder.
  @inlinable @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let core = ownKnot.core
    return deliver(core.write(by: ObjectIdentifier(self), body), of: core)
  }

  /// Reduces every event of a sequence and calls the hooks; see ``StateHolder/consume(_:_:)``.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (ownKnot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = deliver(core.write(by: holder) { reduce(event, &$0) }, of: core)
    }
  }

  /// Calls `update` and then `layout` with the current state, even if no state has been written yet.
  ///
  /// A layout that is queued is dropped. If you call `render()` in `update` or in a handler, `update` first runs for the states
  /// that this turn has already written, and the layout after the turn lays out the newest state.
  public func render() { knot.core.render(on: self, { update($0) }) { _ = layout() } }

  /// Calls a handler for every state that is accepted after this call, in the turn that accepts it.
  ///
  /// ```swift
  /// await node.observe(in: bag) { node, state in node.log(state.title) }
  /// ```
  /// The handler runs synchronously on the actor, after `update`, in order, in the task of the writer.
  ///
  /// The handler is removed when the node is released, or when the bag or the entry is cancelled. You can cancel either of them
  /// in a reducer. After a `cancel()` on the node's isolation the handler is not called again. After a `cancel()` elsewhere, a
  /// call that has already begun completes.
  @discardableResult
  public func observe(
    in bag: TaskBag, _ handler: @escaping @Sendable (isolated Self, State) -> Void
  ) -> TaskBag.Entry {
    unsafe ownKnot.core.register(of: self, in: bag, unsafeIsolated: handler)
  }

  /// Calls the hooks for a written state, and returns the result of the write, such as the replaced state.
  ///
  /// So the result lives until the turn is over, because its deinit may write the next state.
  @inlinable @discardableResult
  func deliver<Result>(
    _ written: (result: Result, delivery: Delivery<State>?), of core: KnotCore<State>
  ) -> Result {
    // Pass closures, because bound methods would retain the node for each event.
    core.deliver(
      written.delivery, to: self, layout: Layout.self, { update($0) }, { queueLayout() })
    return written.result
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { [weak self] in
      while let rest = await self?.layOutIfDue() { try? await Task.sleep(for: rest) }
    }
  }

  private func layOutIfDue() -> Duration? { knot.core.layOutIfDue { _ = layout() } }
}
