internal import AsyncKnot
internal import Synchronization

extension Exploration {
  /// Runs one seed to its end.
  func run(
    _ seed: UInt64, measure: ScenarioMeasure, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    await run(RunPlan(seed: seed, strategy: strategy, measure: measure), in: context, scenario).run
  }

  /// Runs a scenario once, as planned.
  ///
  /// - Returns: How it went, and the schedule that it took, for a run that is recorded.
  func run(
    _ plan: RunPlan, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> (run: Run, schedule: TakenSchedule) {
    _ = Control.isActive
    let explorer = Explorer(
      seed: plan.seed,
      schedule: Schedule(plan.chooser, isRecorded: plan.recorder != nil || plan.isRecorded),
      jobLimit: jobLimit, context: context, recorder: plan.recorder)
    let executor = RunExecutor(explorer)
    let task = start(scenario, on: executor)
    if let step = plan.cancelsAfter {
      _ = explorer.runReady(limit: step)
      explorer.perform { task.cancel() }
    }
    let reason = await withTaskCancellationHandler {
      await drive(explorer)
    } onCancel: {
      task.cancel()
    }
    let trace = explorer.trace
    let account = explorer.account
    let schedule = explorer.state.withLock {
      TakenSchedule(
        switches: $0.schedule.switches ?? [], alternatives: $0.schedule.alternatives,
        script: $0.schedule.script, cursor: $0.schedule.cursor,
        measure: plan.isMeasured ? $0.schedule.measure : nil)
    }
    dismiss(explorer, task)
    let failure = reason.map { ExplorationFailure(seed: plan.seed, reason: $0, trace: trace) }
    let run = Run(trace: trace, account: account, failure: Task.isCancelled ? nil : failure)
    return (run, schedule)
  }

  private func start(
    _ scenario: @escaping @Sendable () async throws -> Void, on executor: RunExecutor
  ) -> Task<Void, Never> {
    let explorer = executor.explorer
    explorer.show(.zero)
    defer { explorer.tellFirstTask() }
    return explorer.perform {
      Spawn.$executor.withValue(executor) {
        Spawn.$preempter.withValue(preemptsPackage ? explorer : nil) {
          Task(executorPreference: executor) {
            do {
              try await scenario()
              explorer.finish(.success(()))
            } catch {
              explorer.finish(.failure(error))
            }
          }
        }
      }
    }
  }

  /// Runs jobs until the scenario has returned and nothing is left to run.
  private func drive(_ explorer: Explorer) async -> ExplorationFailure.Reason? {
    while true {
      guard explorer.runReady(limit: jobLimit) else { return .tooManyJobs(jobLimit) }
      if explorer.resumeIdler() { continue }
      switch explorer.result {
      case .success: return nil
      case .failure(let error): return .threw(error)
      case nil: break
      }
      if await mainActorHasWork(explorer) || explorer.advanceTime() { continue }
      guard await outsideWorkCame(explorer) else { return .stalled(waiting: explorer.notes) }
    }
  }

  /// Without a main actor of its own the run lets the real one go on before time moves.
  private func mainActorHasWork(_ explorer: Explorer) async -> Bool {
    guard !Control.isActive else { return false }
    // What the scenario has enqueued on the main actor comes before this, so it is over then.
    await MainActor.run {}
    return explorer.hasReadyJob
  }

  /// Waits for jobs from other executors.
  ///
  /// - Returns: `false` where none came in time.
  private func outsideWorkCame(_ explorer: Explorer) async -> Bool {
    explorer.beginWait()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await Task.sleep(for: patience)
        explorer.endPatience()
      }
      await explorer.untilOutsideWork()
      group.cancelAll()
    }
    return explorer.hasReadyJob || explorer.result != nil
  }

  /// Cancels what is left of a run and lets it end, so that the next run starts from nothing.
  private func dismiss(_ explorer: Explorer, _ task: Task<Void, Never>) {
    explorer.perform { task.cancel() }
    explorer.wakeSleepers()
    while explorer.resumeIdler() {}
    _ = explorer.runReady(limit: explorer.trace.jobs + jobLimit)
    explorer.close()
  }
}

/// The schedule that a run took.
struct TakenSchedule {
  /// All its exceptions to what runs by itself; none where the run is not recorded.
  let switches: [ForcedSwitch]
  /// All that could have run instead, each by one exception; none where the run is not recorded.
  let alternatives: [ForcedSwitch]
  /// What became of the schedule that it was told to follow.
  let script: Script
  /// Where the search stands that it is part of.
  let cursor: SearchCursor
  /// How long its scenario is; `nil` where nobody asked.
  let measure: ScenarioMeasure?
}
