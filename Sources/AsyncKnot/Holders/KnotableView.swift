/// A main-actor view object that holds a state and draws it.
///
/// ```swift
/// @MainActor final class TitleView: KnotableView {
///   struct State: KnotState {
///     var title = "-"
///     static func defaultState() -> State { State() }
///   }
///   nonisolated let knot = Knot<State>()
///   private let label = UILabel()
///   func update(_ state: State) { label.text = state.title }
/// }
/// ```
///
/// It promises what `Knotable` promises, on the main actor; `sink` and `reduce` are synchronous there.
@MainActor
public protocol KnotableView: StateHolder where State: KnotState, Hooks == NodeHooks {
  /// What `layout()` gives: nothing, inferred.
  associatedtype Layout = NoLayout

  /// Draws a state: called for every accepted one, in order.
  ///
  /// It is not called for the default state; `render()` draws that.
  ///
  /// - Parameter state: The state that was accepted.
  func update(_ state: State)

  /// Arranges what `update` drew: called once a burst, after the newest update. By default, nothing.
  ///
  /// Write it as `func layout() { … }`; in UIKit it calls `setNeedsLayout()`. It runs in a task of its
  /// own without task-local values, at the priority of the most urgent writer of the burst.
  ///
  /// - Returns: Nothing.
  func layout() -> Layout
}

extension KnotableView where Layout == NoLayout {
  /// Arranges nothing.
  public func layout() -> NoLayout { .nothing }
}

extension KnotableView {
  /// Exchanges the state, tells the observers, and calls the hooks.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    deliver(knot.core.replace(with: state, by: ObjectIdentifier(self)))
  }

  /// Mutates the state in place, in one synchronous step on the main actor, and calls the hooks.
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

  /// Reduces every event of a sequence, in a loop on the main actor.
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
      events, on: MainActor.shared, by: ObjectIdentifier(self), layout: Layout.self, reduce,
      callHooks(for:),
      queueLayout)
  }

  /// Where a view is released: on the main actor.
  public nonisolated static var home: (any Actor)? { MainActor.shared }

  /// Draws the current state, the default one included: `update`, then `layout`, at once.
  public func render() {
    knot.core.turn.clearLayout()
    update(knot.state)
    _ = layout()
  }

  /// Calls a handler for every state accepted from now on, within the turn that accepts it.
  ///
  /// ```swift
  /// let observation = view.observe { view, state in view.log(state.title) }
  /// ```
  ///
  /// The handler runs synchronously on the main actor, after `update`, in order: no task, no hop, no frame
  /// in between. It runs in the task of the writer and sees that task's local values.
  ///
  /// - Parameter handler: What to do with a state.
  /// - Returns: What keeps the handler registered; dropping it ends the observation.
  public func observe(
    _ handler: @escaping @MainActor @Sendable (Self, State) -> Void
  ) -> StateObservation {
    // The handler is called in a turn of this view, which is alive then.
    knot.core.register(ViewHandler { [unowned self] in handler(self, $0) }, of: self)
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
      ViewHandler<State>.live(element)?.call(delivery.state)
    }
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { @MainActor [weak self] in self?.layoutIfRequested() }
  }

  private func layoutIfRequested() {
    if knot.core.turn.takeLayout() { _ = layout() }
  }
}
