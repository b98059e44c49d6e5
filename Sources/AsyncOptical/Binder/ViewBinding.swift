public import AsyncKnot

/// Ties one view to its binder: the one stored property that a `BindView` needs.
///
/// ```swift
/// let binding = ViewBinding<SampleBinder>()
/// ```
/// It holds the binder, never the view.
@MainActor
public final class ViewBinding<ViewBinder: Dispatcher> {
  private(set) var viewBinder: ViewBinder?
  private var current = TaskBag()

  /// Creates a binding without a binder.
  public nonisolated init() {}

  /// What lives as long as the present binding: it ends when `viewBinder` is set again.
  ///
  /// `state(viewBinder:)` and `command(viewBinder:)` watch into it. A binding that has ended, while one of
  /// them was still suspended, gets a bag that cancels at once what is added.
  public var bag: TaskBag { Task.isCancelled ? TaskBag() : current }

  /// Ends the present binding and begins another one.
  func begin(_ viewBinder: ViewBinder?) -> TaskBag {
    current.cancel()
    self.viewBinder = viewBinder
    current = TaskBag()
    return current
  }
}
