internal import Synchronization

/// What the tasks of one run prefer to run on.
///
/// The tasks keep it, and it keeps the rest of the run.
final class RunExecutor: TaskExecutor {
  let explorer: Explorer
  private let main: VirtualMain
  private let door: Door

  init(_ explorer: Explorer) {
    self.explorer = explorer
    main = VirtualMain(explorer)
    door = Door(explorer)
    if let run = explorer.run {
      run.open(self, main: main, door: door)
    } else {
      unsafe explorer.runJobs(on: asUnownedTaskExecutor())
    }
  }

  deinit { explorer.run?.close() }

  func enqueue(_ job: consuming ExecutorJob) { explorer.add(UnownedJob(job), .executor) }
}
