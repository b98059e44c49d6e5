internal import Synchronization

/// The task executor that the tasks of one run prefer.
///
/// The tasks keep it alive, and it keeps the rest of the run alive.
final class RunExecutor: TaskExecutor {
  let explorer: Explorer
  private let main: VirtualMain
  private let door: Door

  init(_ explorer: Explorer) {
    self.explorer = explorer
    main = VirtualMain(explorer)
    door = Door(explorer)
    if let run = explorer.run {
      run.open(explorer, self, main: main, door: door)
    } else {
      unsafe explorer.runJobs(on: asUnownedTaskExecutor())
    }
  }

  deinit { explorer.run?.close() }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .executor) }
}
