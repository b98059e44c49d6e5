internal import ExploreTestingRuntime

/// A task of a run, not kept alive.
///
/// A task that has ended keeps its result until it is freed, and the scenario may wait for a deinit of that result.
struct SeenTask: Sendable {
  let address: UInt
  /// The lower half of the task's number, which a later task at the same address does not have.
  private let number: UInt32

  init(of job: UnownedJob) {
    address = unsafe UInt(bitPattern: job.pointer)
    number = unsafe UInt32(truncatingIfNeeded: knot_task_number(job.pointer))
  }

  /// The task as it is now; `nil` if it was freed, or if tasks are not readable.
  func read() -> KnotTask? {
    guard let task = unsafe KnotTask(at: address), unsafe task.number == number else { return nil }
    return unsafe task
  }
}
