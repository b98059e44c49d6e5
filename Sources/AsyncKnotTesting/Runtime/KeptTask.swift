private import AsyncKnotTestingRuntime

/// A task of a run, kept alive, so that it can be asked for its state.
@safe struct KeptTask: Sendable {
  /// A task is an object of the runtime, whose count is kept by all threads.
  nonisolated(unsafe) private let object: AnyObject

  /// Keeps the task that a job is.
  init(_ job: UnownedJob) {
    unsafe object = Unmanaged<AnyObject>.fromOpaque(job.pointer).takeUnretainedValue()
  }

  /// Whether it has ended; to be asked while it does not run.
  var hasEnded: Bool {
    var task = unsafe KnotTask()
    return unsafe knot_read_task(Unmanaged.passUnretained(object).toOpaque(), 0, &task)
      && task.state == knotTaskEnded
  }
}
