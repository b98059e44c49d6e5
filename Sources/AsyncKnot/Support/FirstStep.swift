import Synchronization

/// Runs the first step of a task on the thread that starts it, and the rest where tasks run.
///
/// This is what `Task.immediate` does, on systems that do not have it, too.
final class FirstStep: TaskExecutor {
  private enum Phase {
    /// The task is being created.
    case starting
    /// The first job has come and is to be run by `run()`.
    case ready(UnownedJob)
    /// The first step was run; jobs are passed on.
    case passing
  }

  private let phase = Mutex(Phase.starting)
  /// Where the later steps run.
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

  /// Runs the first step: up to where the task suspends for the first time.
  func run() {
    let job = phase.withLock { phase -> UnownedJob? in
      guard case .ready(let job) = phase else { return nil }
      phase = .passing
      return job
    }
    if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
