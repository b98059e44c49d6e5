internal import AsyncKnot

/// A main-actor view that renders a binder's state and sends it commands.
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
/// Setting the binder again, or to `nil`, ends the previous binding.
@MainActor
public protocol BindView: AnyObject, Sendable {
  /// The type of the view's binder; an opticle is possible, too.
  associatedtype ViewBinder: Dispatcher

  /// Ties the view to its binder.
  var binding: ViewBinding<ViewBinder> { get }

  /// Binds the binder's state to the view; called first.
  ///
  /// Neither method may suspend: a loop in it would keep the view alive. `live(with:in:_:)` does not,
  /// nor does `send(to:in:)`, which is for the user's actions; with `binding.bag` both end with the
  /// binding.
  func state(viewBinder: ViewBinder)

  /// Binds the user's actions to commands; called after `state(viewBinder:)`.
  func command(viewBinder: ViewBinder)
}

/// A reusable cell: a view like any other.
public typealias BindCell = BindView

extension BindView {
  /// The binder; setting it binds state before commands, at once.
  ///
  /// After that nothing of the previous binder is rendered. The binding never keeps the view alive, and
  /// lasts, too, if the binder is set in a dispatch that is superseded.
  public var viewBinder: ViewBinder? {
    get { binding.viewBinder }
    set {
      binding.begin(newValue)
      guard let newValue else { return }
      Errand.none {
        state(viewBinder: newValue)
        command(viewBinder: newValue)
      }
    }
  }
}
