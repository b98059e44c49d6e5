internal import ExploreSeam
private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// The shared context of an exploration's runs: their test, the conditions of `sometimes`, and a task that creates the runs'
/// detached tasks.
///
/// A failing run is repeated for its report, perhaps hundreds of times, in the same context.
///
/// `Task.detached` does not copy task-local values. The testing library stores the current test in them, so an issue recorded in
/// a detached task would belong to no test and have no seed. The task of this context has the testing library's values. A
/// detached task that it creates gets these values and its run, and no others.
final class TestContext: TaskExecutor {
  private struct State {
    /// The job that continues the task.
    var job: UnownedJob?
    /// The continuation of the task while it waits for a request: a run for which it creates a detached task, or `nil` if it ends.
    var order: CheckedContinuation<(any ExploredRun)?, Never>?
    /// The conditions of `sometimes`, and whether a run has met them.
    var conditions: [String: Bool] = [:]
  }

  private let state = OwnMutex(State())

  /// The name of the test, and where issues about its runs are recorded.
  let test: String
  let sourceLocation: SourceLocation
  /// Receives the seed, the schedule and the lanes of a run that ends the process, just before the end.
  let atDeath: (@Sendable (UInt64, Schedule, String) -> Void)?

  /// Starts the task with the values that the testing library has set in the caller's task.
  ///
  /// The task lives until ``end()``.
  init(
    test: String = "a test", sourceLocation: SourceLocation = #_sourceLocation,
    atDeath: (@Sendable (UInt64, Schedule, String) -> Void)? = nil
  ) {
    self.atDeath = atDeath
    self.test = test
    self.sourceLocation = sourceLocation
    // Keep the task out of the outer run if this exploration is part of another one.
    knot_hold()
    let values = TestingValues.current
    Task.detached(executorPreference: self) { [self] in
      await values.apply {
        while let run = await self.order() { Exploring.$run.withValue(run) { knot_make_pending() } }
      }
    }
    knot_let_go()
    runJob()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.job = job }
  }

  /// Creates the detached task that code of a run on the calling thread is about to start.
  func makePending(in run: any ExploredRun) { give(run) }

  /// Ends the task.
  func end() { give(nil) }

  /// Records whether a run meets a condition of `sometimes`.
  func meet(_ name: String, _ isMet: Bool) {
    state.withLock { $0.conditions[name, default: false] = isMet || $0.conditions[name] == true }
  }

  /// The failure that names the conditions that no run met; `nil` if each condition was met.
  var failure: ExplorationFailure? {
    let unmet = state.withLock { $0.conditions }.filter { !$0.value }.keys.sorted()
    return unmet.isEmpty
      ? nil : ExplorationFailure(seed: 0, reason: .never(unmet), trace: ExplorationTrace())
  }

  private func order() async -> (any ExploredRun)? {
    await withCheckedContinuation { continuation in
      state.withLock { $0.order = continuation }
    }
  }

  private func give(_ order: (any ExploredRun)?) {
    state.withLock { $0.order.take() }?.resume(returning: order)
    runJob()
  }

  private func runJob() {
    guard let job = state.withLock({ $0.job.take() }) else { return }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
