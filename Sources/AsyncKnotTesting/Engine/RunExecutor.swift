internal import Synchronization

/// The task executor that the tasks of one run prefer.
///
/// The tasks keep it alive, and it keeps the rest of the run alive.
final class RunExecutor: TaskExecutor {
  let explorer: Explorer
  private let main: Entrance
  private let door: Entrance

  init(_ explorer: Explorer) {
    self.explorer = explorer
    main = Entrance(explorer, .main)
    door = Entrance(explorer, .door)
    explorer.run.open(explorer, self, main: main, door: door)
    explorer.state.withLock { unsafe $0.executor = asUnownedTaskExecutor() }
  }

  deinit { explorer.run.close() }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .executor) }
}

/// The main actor's executor in one run, or its door: the executor at which tasks wait for a default actor that was made
/// in the run.
///
/// The runtime would put them into the actor's own queue, which the actor empties in one go. Here the
/// run chooses each task that enters. The actor's lock is not taken, because one job of the run runs at a
/// time.
private final class Entrance: SerialExecutor {
  private let explorer: Explorer
  private let arrival: JobArrival

  init(_ explorer: Explorer, _ arrival: JobArrival) {
    self.explorer = explorer
    self.arrival = arrival
  }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), arrival) }
}
