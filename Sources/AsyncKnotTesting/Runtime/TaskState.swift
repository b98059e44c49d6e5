private import AsyncKnotTestingRuntime

/// What the runtime knows of a task.
enum TaskState {
  /// Whether a task, which does not run, has ended.
  static func hasEnded(_ task: AnyObject) -> Bool {
    var awaited: UnsafeRawPointer?
    let state = unsafe knot_task_state(Unmanaged.passUnretained(task).toOpaque(), &awaited)
    return state == knotTaskEnded
  }
}
