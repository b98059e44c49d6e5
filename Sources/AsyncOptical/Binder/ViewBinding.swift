public import AsyncKnot

/// Ties one view to its binder, which it holds: the one stored property that a ``BindView`` needs.
@MainActor
public final class ViewBinding<ViewBinder: Dispatcher> {
  private(set) var viewBinder: ViewBinder?
  private var current = TaskBag()

  /// Creates a binding without a binder.
  public nonisolated init() {}

  /// The bag of the current binding: it is cancelled when `viewBinder` is set again.
  ///
  /// In a cancelled task, such as that of a previous binding, it is a bag that cancels at once what is
  /// added.
  public var bag: TaskBag { Task.isCancelled ? TaskBag() : current }

  /// Ends the current binding, begins another one, and returns the new binding's bag.
  func begin(_ viewBinder: ViewBinder?) -> TaskBag {
    current.cancel()
    self.viewBinder = viewBinder
    current = TaskBag()
    return current
  }
}
