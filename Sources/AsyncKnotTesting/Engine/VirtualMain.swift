/// The main actor's executor in one run.
final class VirtualMain: SerialExecutor {
  private let explorer: Explorer

  init(_ explorer: Explorer) { self.explorer = explorer }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .main) }
}

/// The executor at which tasks wait for a default actor that was made in the run.
///
/// The runtime would put them into the actor's own queue, which the actor empties in one go. Here the
/// run chooses each task that enters. The actor's lock is not taken, because one job of the run runs at a
/// time.
final class Door: SerialExecutor {
  private let explorer: Explorer

  init(_ explorer: Explorer) { self.explorer = explorer }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .door) }
}
