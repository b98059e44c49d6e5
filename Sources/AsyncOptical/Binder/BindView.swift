internal import AsyncKnot

/// A main-actor view that renders a binder's state and sends commands to the binder.
///
/// <!-- sample: let view = SampleView() -->
/// ```swift
/// @MainActor final class SampleView: BindView {
///   let binding = ViewBinding<SampleBinder>()
///   let label = Label()
///
///   func state(viewBinder: SampleBinder) {
///     viewBinder.watch.map(\.value).live(with: self, in: binding.bag) { view, value in
///       view.label.text = value
///     }
///   }
///   func command(viewBinder: SampleBinder) { viewBinder.send(.fetch) }
/// }
///
/// view.viewBinder = SampleBinder()
/// ```
/// Setting `viewBinder` again, or to `nil`, ends the previous binding.
@MainActor
public protocol BindView: AnyObject, Sendable {
  /// The type of the view's binder, which may also be an opticle.
  associatedtype ViewBinder: Dispatcher

  /// The view's binder and the tasks of the binding.
  var binding: ViewBinding<ViewBinder> { get }

  /// Binds the binder's state to the view; called before `command(viewBinder:)`.
  ///
  /// This method and `command(viewBinder:)` are synchronous, because a loop in them would keep the view alive. Use
  /// `live(with:in:_:)` to follow the state, and `send(to:in:)` for the user's actions. Pass `binding.bag` to both calls, so
  /// that they end with the binding. If this method sets `viewBinder`, it must then return, because `binding.bag` now belongs
  /// to the new binding.
  func state(viewBinder: ViewBinder)

  /// Binds the user's actions to commands; called after `state(viewBinder:)`.
  func command(viewBinder: ViewBinder)
}

/// A reusable cell, which is bound like any other view.
public typealias BindCell = BindView

extension BindView {
  /// The view's binder.
  ///
  /// When you set a binder, `state(viewBinder:)` is called immediately, and then `command(viewBinder:)`, unless the first call
  /// sets another binder.
  ///
  /// After that the view renders nothing from the previous binder. The binding never keeps the view alive. If you set the binder
  /// in a dispatch, the binding continues even if that dispatch is superseded.
  public var viewBinder: ViewBinder? {
    get { binding.viewBinder }
    set {
      let number = binding.begin(newValue)
      guard let newValue, binding.number == number else { return }
      CurrentMessage.without {
        state(viewBinder: newValue)
        // If `state` has set `viewBinder`, this binding has ended.
        if binding.number == number { command(viewBinder: newValue) }
      }
    }
  }
}
