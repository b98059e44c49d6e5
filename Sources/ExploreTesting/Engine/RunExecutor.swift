internal import ExploreSeam
internal import Synchronization

/// The task executor that the tasks of one run prefer.
///
/// The tasks keep the executor alive, and the executor keeps the rest of the run alive.
final class RunExecutor: ExploredRun {
  let explorer: Explorer
  private let main: Entrance
  private let door: Entrance
  private let preemptsPackage: Bool

  init(_ explorer: Explorer, preemptsPackage: Bool = false) {
    self.explorer = explorer
    self.preemptsPackage = preemptsPackage
    main = Entrance(explorer, .main)
    door = Entrance(explorer, .door)
    explorer.run.open(explorer, self, main: main, door: door)
    explorer.state.withLock { unsafe $0.executor = .passUnretained(self) }
  }

  deinit { explorer.run.close() }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .executor) }

  func preempt() { if preemptsPackage { explorer.preempt() } }
}

/// The executor of the run's main actor, or the run's door: the executor at which tasks wait for default actors of the run.
///
/// Without a door, tasks would wait in the actor's own queue, which the actor empties in one go. At the door, the run chooses
/// which task enters next. The door does not take the actor's lock, because the run executes one job at a time.
private final class Entrance: SerialExecutor {
  private let explorer: Explorer
  private let arrival: JobArrival

  init(_ explorer: Explorer, _ arrival: JobArrival) {
    self.explorer = explorer
    self.arrival = arrival
  }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), arrival) }

  func checkIsolated() {
    fatalError(
      "explore: an isolation check, such as assumeIsolated, found code that runs outside its actor. Call the code with await"
    )
  }
}

// When a task sleeps, the runtime asks the task's executor whether it can keep a job until a deadline. The protocol for that is
// not public and may still change, so this file adopts it only with known compilers. With any other compiler, `dispatch_after_f`
// in Hooks.c intercepts the jobs on their way to Dispatch. This interception misses only the job of a sleep with a tolerance, so
// that job leaves the run as foreign work.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4) && !EXPLORE_UNSCHEDULED
  @_spi(ExperimentalScheduling) internal import _Concurrency

  extension RunExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      explorer.add(UnownedJob(job), after: delay as? Duration ?? .zero)
    }
  }
#endif
