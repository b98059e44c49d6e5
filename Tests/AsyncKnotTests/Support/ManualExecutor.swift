/// A serial executor that runs a job only when a test says so, the most urgent job first.
final class ManualExecutor: SerialExecutor {
  private let jobs = Mutex<[(priority: UInt8, job: UnownedJob)]>([])

  var priorities: [UInt8] { jobs.withLock { $0.map(\.priority) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    jobs.withLock { $0.append((priority, job)) }
  }

  /// Runs the most urgent job, if there is one.
  func runOne() -> Bool {
    let job = jobs.withLock { jobs in
      jobs.indices.max { jobs[$0].priority < jobs[$1].priority }.map { jobs.remove(at: $0).job }
    }
    guard let job else { return false }
    job.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}
