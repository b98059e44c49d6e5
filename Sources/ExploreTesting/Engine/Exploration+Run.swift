internal import ExploreSeam
internal import Synchronization

extension Exploration {
  /// Runs a scenario once, according to a plan.
  ///
  /// - Returns: The run and the schedule that it took.
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
    if leavesNothing, Control.seesEnds { explorer.noteTasks() }
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
      while explorer.runReady(limit: limit) == .turn, await explorer.takeTurn() {}
    }
    explorer.close()
    let failure = reason.map { ExplorationFailure(seed: plan.seed, reason: $0, trace: trace) }
    let run = Run(trace: trace, account: account, failure: Task.isCancelled ? nil : failure)
    return FinishedRun(
      plan: plan, run: run, schedule: schedule, duration: start?.duration(to: .now) ?? .zero)
  }

  /// How long a job may take before the run counts as stuck.
  ///
  /// The limit is generous, because on a busy machine a thread may not run for several seconds.
  private var blockLimit: Duration { max(patience * 20, .seconds(5)) }

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

  /// Runs jobs until the scenario has returned and no job is ready.
  ///
  /// - Parameters:
  ///   - explorer: The run.
  ///   - task: The scenario's task.
  ///   - step: The number of jobs after which the task is cancelled; `nil` for never. If the task sleeps or waits
  ///     after that job, it is cancelled before time advances.
  /// - Returns: The reason why the run fails; `nil` if the scenario returned and, with `leavesNothing`, all of its tasks have
  ///   ended.
  private func drive(
    _ explorer: Explorer, cancelling task: Task<Void, Never>, after step: Int?
  ) async -> ExplorationFailure.Reason? {
    var step = step
    while true {
      let pause = explorer.runReady(limit: min(step ?? jobLimit, jobLimit))
      if pause == .turn {
        guard await explorer.takeTurn() else { return .stalled(waiting: [noteOnTurn]) }
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

  /// A possible cause of a stall, if foreign work is allowed.
  private var noteOnPatience: [String] {
    guard allowing.contains(.foreignWork) else { return [] }
    return [
      """
      foreign work, such as a Dispatch timer: none arrived within the patience of \(patience); \
      raise patience: to wait longer
      """
    ]
  }

  private var noteOnTurn: String {
    """
    its turn to use an actor that was created before the run. An exploration around this run, or inside its scenario, keeps that \
    turn until the exploration ends. Create the actors in the innermost scenario
    """
  }

  /// Lets the real main actor run the scenario's jobs, and returns whether the run then has a ready job.
  ///
  /// Returns `false` where runs have their own main actor.
  private func mainActorHasWork(_ explorer: Explorer) async -> Bool {
    guard !Control.isActive else { return false }
    // The main actor runs the jobs that the scenario has enqueued there before this call.
    await MainActor.run {}
    return explorer.hasReadyJob
  }

  /// Wakes the tasks of a run whose scenario has returned, before the run is closed.
  ///
  /// A scenario that has not returned never continues, unless it is a test function. The closure of a test function is valid only
  /// during the call of its trait, so the function is cancelled and has to return.
  ///
  /// - Returns: The total number of jobs after which the run is closed; `nil` if no task may continue.
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
