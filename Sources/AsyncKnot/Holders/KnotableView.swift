/// A view node: a main-actor object that holds a state and draws it.
///
/// <!-- sample: import UIKit -->
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
/// A view has the same hooks as a ``Knotable`` node, called in the same order. On the main actor, `sink` and `reduce` are
/// synchronous.
@MainActor
public protocol KnotableView: StateHolder where State: KnotState {
  /// The result type of `layout()`.
  ///
  /// The type is inferred: `Void` if the view has the method, otherwise `Never?`.
  associatedtype Layout = Never?

  /// Draws a state.
  ///
  /// The method is called for every accepted state, in order. The default state is not passed to `update`. To draw that
  /// state, call `render()`.
  func update(_ state: State)

  /// Lays out what `update` has drawn, as soon as possible, but at most once per frame of 16 ms.
  ///
  /// The newest state is always laid out.
  ///
  /// Declare the method as `func layout() { … }`. In UIKit, call `setNeedsLayout()` in this method. A queued call to `layout()`
  /// runs in its own task, as for a ``Knotable`` node; `render()` calls the method immediately, but within `update` or a
  /// handler it leaves the call to the layout that follows the turn. A subclass can override `layout()` only if its superclass
  /// declares the method.
  func layout() -> Layout
}

extension KnotableView where Layout == Never? {
  /// Does nothing.
  ///
  /// A view without its own `layout()` gets this method, and the package never queues a call to it.
  public func layout() -> Never? { nil }
}

extension KnotableView {
  /// Replaces the state, notifies the observers, and calls the hooks.
  @inlinable
  public func sink(_ state: State) {
    let core = ownKnot.core
    deliver(core.exchange(for: state, by: ObjectIdentifier(self)), of: core)
  }

  /// Mutates the state in place, in one synchronous step on the main actor, and calls the hooks.
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
    try await events.forEachInSlices(on: MainActor.shared) { event in
      _ = deliver(core.write(by: holder) { reduce(event, &$0) }, of: core)
    }
  }

  /// Draws and lays out the current state, even the default one, like ``Knotable/render()``.
  public func render() { knot.core.render(on: self, { update($0) }) { _ = layout() } }

  /// Calls a handler for every state that is accepted after this call, in the turn that accepts it.
  ///
  /// Like a handler of ``Knotable/observe(in:_:)``, the handler runs synchronously, after `update`, in order, in the task of the
  /// writer.
  ///
  /// No frame is drawn between the write and the call to the handler. The captures of the handler are released on the main actor.
  @discardableResult
  public func observe(
    in bag: TaskBag, _ handler: @escaping @MainActor @Sendable (Self, State) -> Void
  ) -> TaskBag.Entry {
    unsafe ownKnot.core.register(of: self, isOfMainActor: true, in: bag, unsafeIsolated: handler)
  }

  /// Calls the hooks for a written state, and returns the result of the write, such as the replaced state.
  ///
  /// So the result lives until the turn is over, because its deinit may write the next state.
  @inlinable @discardableResult
  func deliver<Result>(
    _ written: (result: Result, delivery: Delivery<State>?), of core: KnotCore<State>
  ) -> Result {
    // Pass closures, because bound methods would retain the view for each event.
    core.deliver(
      written.delivery, to: self, layout: Layout.self, { update($0) }, { queueLayout() })
    return written.result
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { @MainActor @Sendable [weak self] in
      while let rest = self?.layOutIfDue() { try? await Task.sleep(for: rest) }
    }
  }

  private func layOutIfDue() -> Duration? { knot.core.layOutIfDue { _ = layout() } }
}
