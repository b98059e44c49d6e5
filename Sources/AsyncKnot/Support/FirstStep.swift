import Synchronization

/// A task executor that runs a task's first step on the calling thread, as `Task.immediate` does on
/// newer systems.
final class FirstStep: TaskExecutor {
  private enum Phase {
    case starting
    /// The first job has arrived and waits for `run()`.
    case ready(UnownedJob)
    /// Later jobs go to `rest`.
    case passing
  }

  private let phase = Mutex(Phase.starting)
  private let rest: any TaskExecutor

  init(then rest: any TaskExecutor) {
    self.rest = rest
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = phase.withLock { phase in
      guard case .starting = phase else { return false }
      phase = .ready(job)
      return true
    }
    if !isFirst { rest.enqueue(job) }
  }

  /// Runs the task up to its first suspension, on the calling thread.
  func run() {
    let job = phase.withLock { phase -> UnownedJob? in
      defer { phase = .passing }
      guard case .ready(let job) = phase else { return nil }
      return job
    }
    if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
