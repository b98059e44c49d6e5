public import AsyncKnot

/// Stores a view's binder and the tasks of the binding.
///
/// A ``BindView`` needs no other stored property.
@MainActor
public final class ViewBinding<ViewBinder: Dispatcher> {
  private(set) var viewBinder: ViewBinder?
  /// The number of bindings that have begun.
  private(set) var number = 0

  /// Creates a binding without a binder.
  public nonisolated init() {}

  /// The bag of the current binding.
  ///
  /// Setting `viewBinder` again cancels the bag.
  public let bag = TaskBag()

  /// Ends the current binding and begins a new one; returns the number of the new one.
  ///
  /// Cancelling tasks and releasing the old binder can run code that begins yet another binding.
  func begin(_ viewBinder: ViewBinder?) -> Int {
    number += 1
    let (number, old) = (number, self.viewBinder)
    self.viewBinder = viewBinder
    bag.cancel()
    withExtendedLifetime(old) {}
    return number
  }
}
