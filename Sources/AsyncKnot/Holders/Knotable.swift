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
/// Every accepted state is stored first. Then `update` is called, then the handlers given to
/// `observe`. `layout` is queued. A state that `update` itself writes is delivered after the one that
/// `update` was called with.
public protocol Knotable: Actor, StateHolder where State: KnotState {
  /// What causes a change: nothing that is told; as for ``StateActor``.
  associatedtype ChangeCause = Never where ChangeCause == Never

  /// The result type of `layout()`, inferred: `Void` for a node that has the method, else `Never?`.
  associatedtype Layout = Never?

  /// Draws a state; called for every accepted state, in order, on the actor.
  ///
  /// The default state is not passed to `update`; `render()` draws it.
  func update(_ state: State)

  /// Lays out what `update` drew, as soon as the node gets to it, and at most once a frame of 16 ms;
  /// the newest state is always laid out.
  ///
  /// Write it as `func layout() { … }`; the default does nothing. The call runs on the actor, in a
  /// task of its own without task-local values, at the priority of the most urgent writer.
  func layout() -> Layout
}

extension Knotable where Layout == Never? {
  /// Does nothing; a node without a layout has this method, and none is ever queued for it.
  public func layout() -> Never? { nil }
}

extension Knotable {
  /// Replaces the state, notifies the observers, and calls the hooks.
  @inlinable
  public func sink(_ state: State) {
    deliver(knot.core.exchange(for: state, by: ObjectIdentifier(self)).1, of: knot.core)
  }

  /// Mutates the state in place, in one synchronous step on the actor, and calls the hooks; a closure
  /// that uses any holder ends the program, as in ``StateHolder/reduce(_:)``.
  @inlinable @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let (result, delivery) = knot.core.write(by: ObjectIdentifier(self), body)
    deliver(delivery, of: knot.core)
    return result
  }

  /// Reduces every event of a sequence and calls the hooks; see ``StateHolder/consume(_:_:)``.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (knot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      deliver(core.write(by: holder) { reduce(event, &$0) }.1, of: core)
    }
  }

  /// Draws the current state, also the default one: calls `update`, then `layout`.
  ///
  /// That layout takes the place of a queued one. Within `update` or a handler the state is drawn after
  /// those that they have written, and laid out with the newest.
  public func render() { knot.core.render(on: self, { update($0) }) { _ = layout() } }

  /// Calls a handler for every state that is accepted from now on, within the turn that accepts it.
  ///
  /// ```swift
  /// await node.observe(in: bag) { node, state in node.log(state.title) }
  /// ```
  /// The handler runs synchronously on the actor, after `update`, in order, in the task of the writer.
  ///
  /// It is removed, also in a reducer, when the bag or the entry is cancelled, and when the node goes.
  /// After a `cancel()` on the node's isolation it does not run again; after one elsewhere, a call that
  /// has begun completes.
  @discardableResult
  public func observe(
    in bag: TaskBag, _ handler: @escaping @Sendable (isolated Self, State) -> Void
  ) -> TaskBag.Entry {
    unsafe knot.core.register(of: self, in: bag, unsafeIsolated: handler)
  }

  @inlinable
  func deliver(_ delivery: Delivery<State>?, of core: KnotCore<State>) {
    // Closures, not bound methods: those would retain the node for each event.
    core.deliver(
      delivery, to: self, layout: Layout.self, { update($0) }, { queueLayout() })
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { [weak self] in
      while let rest = await self?.layOutIfDue() { try? await Task.sleep(for: rest) }
    }
  }

  private func layOutIfDue() -> Duration? { knot.core.layOutIfDue { _ = layout() } }
}
