/// A main-actor view object that holds a state and draws it.
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
/// A view has the same hooks, in the same order, as a ``Knotable`` node, on the main actor; `sink`
/// and `reduce` are synchronous there.
@MainActor
public protocol KnotableView: StateHolder where State: KnotState {
  /// The result type of `layout()`, inferred: `Void` for a view that has the method, else `Never?`.
  associatedtype Layout = Never?

  /// Draws a state; called for every accepted state, in order.
  ///
  /// The default state is not passed to `update`; `render()` draws it.
  func update(_ state: State)

  /// Lays out what `update` drew, as soon as the main actor gets to it, and at most once a frame of
  /// 16 ms; the newest state is always laid out.
  ///
  /// Write it as `func layout() { … }`; in UIKit it calls `setNeedsLayout()`. It runs as that of a
  /// ``Knotable`` node does. A subclass can only override the layout of a superclass that has one.
  func layout() -> Layout
}

extension KnotableView where Layout == Never? {
  /// Does nothing; a view without a layout has this method, and none is ever queued for it.
  public func layout() -> Never? { nil }
}

extension KnotableView {
  /// Replaces the state, notifies the observers, and calls the hooks.
  @inlinable
  public func sink(_ state: State) {
    deliver(knot.core.exchange(for: state, by: ObjectIdentifier(self)).1, of: knot.core)
  }

  /// Mutates the state in place, in one synchronous step on the main actor, and calls the hooks; a
  /// closure that uses any holder ends the program, as in ``StateHolder/reduce(_:)``.
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
    try await events.forEachInSlices(on: MainActor.shared) { event in
      deliver(core.write(by: holder) { reduce(event, &$0) }.1, of: core)
    }
  }

  /// Draws the current state, also the default one, as ``Knotable/render()`` does.
  public func render() { knot.core.render(on: self, { update($0) }) { _ = layout() } }

  /// Calls a handler for every state that is accepted from now on, as ``Knotable/observe(in:_:)`` does:
  /// synchronously, after `update`, in order, in the task of the writer, with no frame in between.
  ///
  /// What the handler captures is released on the main actor.
  @discardableResult
  public func observe(
    in bag: TaskBag, _ handler: @escaping @MainActor @Sendable (Self, State) -> Void
  ) -> TaskBag.Entry {
    unsafe knot.core.register(of: self, isOfMainActor: true, in: bag, unsafeIsolated: handler)
  }

  @inlinable
  func deliver(_ delivery: Delivery<State>?, of core: KnotCore<State>) {
    // Closures, not bound methods: those would retain the node for each event.
    core.deliver(
      delivery, to: self, layout: Layout.self, { update($0) }, { queueLayout() })
  }

  @usableFromInline
  func queueLayout() {
    Spawn.apart { @MainActor @Sendable [weak self] in
      while let rest = self?.layOutIfDue() { try? await Task.sleep(for: rest) }
    }
  }

  private func layOutIfDue() -> Duration? { knot.core.layOutIfDue { _ = layout() } }
}
