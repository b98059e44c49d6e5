private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// A task with the task-local values of the test, which makes the detached tasks of runs.
///
/// `Task.detached` copies no task-local values. The testing library keeps in them which test runs, so an
/// issue that is recorded in a detached task would name no test, and no seed. Here such a task gets the
/// values that were there where the exploration began, and none that the scenario has set.
final class TestContext: TaskExecutor {
  private struct State {
    /// The job with which the task goes on.
    var job: UnownedJob?
    /// The continuation of the task, which waits for an order; `false` ends it.
    var order: CheckedContinuation<Bool, Never>?
    /// The conditions that some run has to meet, and whether one has.
    var conditions: [String: Bool] = [:]
  }

  private let state = OwnMutex(State())

  /// The name of the test, and the place in it at which what concerns a run is recorded.
  let test: String
  let sourceLocation: SourceLocation
  /// Called when a run ends the process, with its seed, its schedule and its lanes.
  let atDeath: (@Sendable (UInt64, Schedule, String) -> Void)?

  /// Starts the task, with the values of the calling one.
  ///
  /// It lives until ``end()``.
  init(
    test: String = "a test", sourceLocation: SourceLocation = #_sourceLocation,
    atDeath: (@Sendable (UInt64, Schedule, String) -> Void)? = nil
  ) {
    self.atDeath = atDeath
    self.test = test
    self.sourceLocation = sourceLocation
    Task(executorPreference: self) { [self] in
      while await order() { knot_make_pending() }
    }
    goOn()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.job = job }
  }

  /// Makes the detached task that the calling thread is about to make.
  func makePending() { give(true) }

  /// Ends the task.
  func end() { give(false) }

  /// Notes whether a run meets a condition that some run has to meet.
  func meet(_ name: String, _ isMet: Bool) {
    state.withLock { $0.conditions[name, default: false] = isMet || $0.conditions[name] == true }
  }

  /// The failure to meet a condition in any run; `nil` where each was met in some run.
  var failure: ExplorationFailure? {
    let unmet = state.withLock { $0.conditions }.filter { !$0.value }.keys.sorted()
    return unmet.isEmpty
      ? nil : ExplorationFailure(seed: 0, reason: .never(unmet), trace: ExplorationTrace())
  }

  private func order() async -> Bool {
    await withCheckedContinuation { continuation in
      state.withLock { $0.order = continuation }
    }
  }

  private func give(_ order: Bool) {
    state.withLock { $0.order.take() }?.resume(returning: order)
    goOn()
  }

  private func goOn() {
    guard let job = state.withLock({ $0.job.take() }) else { return }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
