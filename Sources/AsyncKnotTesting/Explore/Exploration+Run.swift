internal import AsyncKnot
internal import Synchronization

extension Exploration {
  /// Runs one seed to its end.
  func run(
    _ seed: UInt64, length: Int, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    let explorer = Explorer(
      seed: seed, schedule: Schedule(seed: seed, strategy: strategy, length: length),
      jobLimit: jobLimit, context: context)
    let executor = RunExecutor(explorer)
    let task = start(scenario, on: executor)
    let reason = await withTaskCancellationHandler {
      await drive(explorer)
    } onCancel: {
      task.cancel()
    }
    let trace = explorer.trace
    let account = explorer.account
    dismiss(explorer, task)
    let failure = reason.map { ExplorationFailure(seed: seed, reason: $0, trace: trace) }
    return Run(trace: trace, account: account, failure: Task.isCancelled ? nil : failure)
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
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await Task.sleep(for: patience)
        explorer.wakeDriver()
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
