/// A main-actor view object that holds a state and draws it.
///
/// ```swift
/// @MainActor final class TitleView: KnotableView {
///   struct State: KnotState {
///     var title = "-"
///     static func defaultState() -> State { State() }
///   }
///   nonisolated let knot = Knot<State>()
///   func update(_ state: State) { label.text = state.title }
/// }
/// ```
///
/// It promises what `Knotable` promises, on the main actor; `sink` and `reduce` are synchronous there.
@MainActor
public protocol KnotableView: StateHolder where State: KnotState, Hooks == NodeHooks {
  /// Draws a state: called for every accepted one, in order. By default, nothing.
  ///
  /// It is not called for the default state; `render()` draws that.
  ///
  /// - Parameter state: The state that was accepted.
  func update(_ state: State)

  /// Arranges what `update` drew: called once a burst, after the newest update. By default, nothing.
  ///
  /// In UIKit: `setNeedsLayout()`.
  func layout()
}

extension KnotableView {
  /// Draws nothing; a view without it is not asked again.
  public func update(_ state: State) { knot.core.turn.insert(.withoutUpdate) }

  /// Arranges nothing; a view without it is not asked again.
  public func layout() { knot.core.turn.insert(.withoutLayout) }

  /// Exchanges the state, tells the observers, and calls the hooks.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    let core = knot.core
    tell(core.replace(with: state, hooked: true), core)
  }

  /// Mutates the state in place, in one synchronous step on the main actor, and calls the hooks.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let core = knot.core
    let (result, delivery) = core.write(hooked: true, body)
    tell(delivery, core)
    return result
  }

  /// Reduces every event of a sequence, in a loop that runs on the main actor.
  ///
  /// - Parameters:
  ///   - events: What is reduced.
  ///   - reduce: Brings one event into the state.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    let core = knot.core
    var iterator = events.makeAsyncIterator()
    while let event = try await iterator.next(isolation: MainActor.shared) {
      tell(core.write(hooked: true) { reduce(event, &$0) }.1, core)
    }
  }

  /// Draws the current state, the default one included: `update`, then `layout`, at once.
  public func render() {
    _ = knot.core.turn.takeLayout()
    update(knot.state)
    layout()
  }

  /// Calls a handler for every state accepted from now on, within the turn that accepts it.
  ///
  /// ```swift
  /// let observation = view.observe { view, state in view.log(state.title) }
  /// ```
  ///
  /// The handler runs synchronously on the main actor, after `update`, in order: no task, no hop, no
  /// frame in between.
  ///
  /// - Parameter handler: What to do with a state.
  /// - Returns: What keeps the handler registered; dropping it ends the observation.
  public func observe(
    _ handler: @escaping @MainActor @Sendable (Self, State) -> Void
  ) -> Observation {
    knot.core.register(ViewHandler(handler))
  }

  /// Tells the hooks of an accepted state, and arranges for a layout at the end of the burst.
  @inlinable
  func tell(_ delivery: Delivery<State>?, _ core: KnotCore<State>) {
    if let delivery {
      guard core.turn.begin() else { return core.postpone(delivery) }
      carryOut(delivery, core)
      while let delivery = core.advance() { carryOut(delivery, core) }
    }
    if core.turn.requestLayout() { queueLayout() }
  }

  @inlinable
  func carryOut(_ delivery: Delivery<State>, _ core: KnotCore<State>) {
    if !core.turn.flags.contains(.withoutUpdate) { update(delivery.state) }
    let slots = delivery.handlers.slots
    for index in slots.indices {
      guard let element = slots[index].element else { continue }
      // Only `observe` registers handlers with this knot, and it makes them for `Self`.
      let handler = unsafe unsafeDowncast(element, to: ViewHandler<Self>.self)
      if !handler.hasEnded { handler.call(self, delivery.state) }
    }
  }

  @usableFromInline
  func queueLayout() {
    Spawn.task { @MainActor [weak self] in self?.layoutIfRequested() }
  }

  private func layoutIfRequested() {
    if knot.core.turn.takeLayout() { layout() }
  }
}
