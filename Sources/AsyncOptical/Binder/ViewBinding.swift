public import AsyncKnot

/// Ties one view to its binder, which it holds: the one stored property that a ``BindView`` needs.
@MainActor
public final class ViewBinding<ViewBinder: Dispatcher> {
  private(set) var viewBinder: ViewBinder?

  /// Creates a binding without a binder.
  public nonisolated init() {}

  /// The bag of the current binding: it is cancelled when `viewBinder` is set again.
  public let bag = TaskBag()

  /// Ends the current binding, and begins another one.
  func begin(_ viewBinder: ViewBinder?) {
    bag.cancel()
    self.viewBinder = viewBinder
  }
}
