import Dispatch

/// A serial executor that counts its jobs; each suspension and each hop adds one job.
final class CountingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "counting")
  private let counter = Atomic(0)

  var jobs: Int { counter.load(ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    counter.add(1, ordering: .relaxed)
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Counts a job and runs it for a task executor, after the jobs that were enqueued earlier.
  func count(_ job: UnownedJob, on executor: some TaskExecutor) {
    counter.add(1, ordering: .relaxed)
    queue.async { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }
}
