internal import ExploreTestingRuntime

/// A task of a run, which this value does not keep alive.
///
/// A task that has ended keeps its result alive until the task itself is freed, and the scenario may wait for the `deinit` of
/// that result.
struct SeenTask: Sendable {
  let address: UInt
  /// The lower half of the task's number.
  ///
  /// A later task at the same address has a different number.
  private let number: UInt32

  init(of job: UnownedJob) {
    address = unsafe UInt(bitPattern: job.pointer)
    number = unsafe UInt32(truncatingIfNeeded: knot_task_number(job.pointer))
  }

  /// Reads the current state of the task; `nil` if it was freed, or if tasks are not readable.
  func read() -> KnotTask? {
    guard let task = unsafe KnotTask(at: address), unsafe task.number == number else { return nil }
    return unsafe task
  }
}
