internal import ExploreSeam
internal import Synchronization

extension Exploration {
  /// Runs a scenario once, as planned.
  ///
  /// - Returns: The run, and the schedule that it took.
  func run(
    _ plan: RunPlan, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> FinishedRun {
    _ = Control.isActive
    let start = plan.isRecorded ? ContinuousClock.now : nil
    let explorer = Explorer(
      seed: plan.seed,
      schedule: Schedule(
        plan.chooser,
        isRecorded: plan.recorder != nil || plan.isRecorded || context.atDeath != nil,
        isFifo: fifoActors),
      jobLimit: jobLimit, variesDurations: variesDurations, context: context,
      recorder: plan.recorder)
    explorer.run.note(context.test, number: plan.number, limit: blockLimit)
    if leavesNothing, Control.seesEnds { explorer.keepTasks() }
    if strategy == .mixed, plan.seed / 4 % 4 == 3 { explorer.startHaste() }
    let executor = RunExecutor(explorer, preemptsPackage: preemptsPackage)
    let task = begin(scenario, on: executor)
    let reason = await withTaskCancellationHandler {
      await drive(explorer, cancelling: task, after: plan.cancelsAfter)
    } onCancel: {
      task.cancel()
    }
    let schedule = explorer.schedule
    let trace = schedule.trace
    var account = schedule.account
    account.escapedTasks = explorer.run.escapedTasks
    account.foreignReadings = explorer.run.foreignReadings
    plan.recorder?.finish()
    if let limit = dismiss(explorer, task) {
      while explorer.runReady(limit: limit) == .turn { await explorer.takeTurn() }
    }
    explorer.close()
    let failure = reason.map { ExplorationFailure(seed: plan.seed, reason: $0, trace: trace) }
    let run = Run(trace: trace, account: account, failure: Task.isCancelled ? nil : failure)
    return FinishedRun(
      plan: plan, run: run, schedule: schedule, duration: start?.duration(to: .now) ?? .zero)
  }

  /// How long a job may take; zero for ever.
  ///
  /// On a busy machine a thread may get no turn for seconds.
  private var blockLimit: Duration { patience > .zero ? max(patience * 20, .seconds(5)) : .zero }

  private func begin(
    _ scenario: @escaping @Sendable () async throws -> Void, on executor: RunExecutor
  ) -> Task<Void, Never> {
    let explorer = executor.explorer
    explorer.show(.zero)
    return explorer.perform {
      Exploring.$run.withValue(executor) {
        Task(executorPreference: executor) {
          do {
            try await scenario()
            explorer.finish(.success(()))
          } catch {
            explorer.recorder?.fails(with: error)
            explorer.finish(.failure(error))
          }
        }
      }
    }
  }

  /// Runs jobs until the scenario has returned and nothing is left to run.
  ///
  /// - Parameters:
  ///   - explorer: The run.
  ///   - task: The task of the scenario.
  ///   - step: After how many jobs of the run that task is cancelled; `nil` for never. Where it sleeps or
  ///     waits after that job, it is cancelled there, before time moves.
  /// - Returns: The reason of a failure; `nil` if the scenario has returned.
  private func drive(
    _ explorer: Explorer, cancelling task: Task<Void, Never>, after step: Int?
  ) async -> ExplorationFailure.Reason? {
    var step = step
    while true {
      let pause = explorer.runReady(limit: min(step ?? jobLimit, jobLimit))
      if pause == .turn {
        await explorer.takeTurn()
        continue
      }
      if let due = step, explorer.schedule.trace.jobs >= due {
        explorer.perform { task.cancel() }
        step = nil
        continue
      }
      guard pause != .limit else { return .tooManyJobs(jobLimit) }
      if explorer.resumeIdler() { continue }
      switch explorer.result {
      case .success:
        let left = explorer.unfinishedTasks
        return left > 0 ? .leftTasks(left) : nil
      case .failure(let error): return .threw(error)
      case nil: break
      }
      if await mainActorHasWork(explorer) { continue }
      if let step = explorer.timeToNextDeadline() {
        explorer.move(by: step)
        continue
      }
      guard await explorer.outsideWorkCame(within: patience) else {
        return .stalled(waiting: explorer.notes + noteOnPatience)
      }
    }
  }

  /// What a stall may be due to, where foreign work is allowed.
  private var noteOnPatience: [String] {
    guard allowing.contains(.foreignWork) else { return [] }
    return [
      """
      foreign work, such as a timer of Dispatch, of which none came within the patience of \(patience); \
      patience: gives it more
      """
    ]
  }

  /// Lets the real main actor run the scenario's jobs, on a platform where a run has none of its own.
  private func mainActorHasWork(_ explorer: Explorer) async -> Bool {
    guard !Control.isActive else { return false }
    // Jobs that the scenario has enqueued on the main actor run before this call.
    await MainActor.run {}
    return explorer.hasReadyJob
  }

  /// Wakes the tasks of a run whose scenario has returned, before it is closed.
  ///
  /// A scenario that has not returned never goes on, unless its function is only lent; then it is cancelled.
  ///
  /// - Returns: How many jobs the run may have had when it is closed; `nil` where none goes on.
  private func dismiss(_ explorer: Explorer, _ task: Task<Void, Never>) -> Int? {
    let isOver = explorer.result != nil
    explorer.state.withLock { $0.isAbandoned = !isOver }
    guard isOver || isLent else { return nil }
    explorer.perform { task.cancel() }
    explorer.wakeSleepers()
    while explorer.resumeIdler() {}
    return min(explorer.schedule.trace.jobs, .max - jobLimit) + jobLimit
  }
}
