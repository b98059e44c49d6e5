internal import AsyncKnot

extension Exploration {
  /// Runs one seed to its end.
  func run(
    _ seed: UInt64, length: Int, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    let explorer = Explorer(
      schedule: Schedule(seed: seed, strategy: strategy, length: length),
      jobLimit: jobLimit)
    let task = Spawn.$executor.withValue(explorer) {
      Spawn.$preempter.withValue(preemptsPackage ? explorer : nil) {
        Spawn.task {
          do {
            try await scenario()
            explorer.finish(.success(()))
          } catch {
            explorer.finish(.failure(error))
          }
        }
      }
    }
    let reason = await withTaskCancellationHandler {
      await drive(explorer)
    } onCancel: {
      task.cancel()
    }
    let trace = explorer.trace
    dismiss(explorer, task)
    let failure = reason.map { ExplorationFailure(seed: seed, reason: $0, trace: trace) }
    return Run(trace: trace, failure: Task.isCancelled ? nil : failure)
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
      if await advanceTime(explorer) { continue }
      guard await outsideWorkCame(explorer) else { return .stalled(waiting: explorer.notes) }
    }
  }

  /// Moves all clocks by the time to the nearest deadline, as real clocks would.
  ///
  /// - Returns: `false` where nobody sleeps.
  private func advanceTime(_ explorer: Explorer) async -> Bool {
    guard explorer.clocks.contains(where: { $0.timeToNextDeadline != nil }) else { return false }
    // What the scenario has enqueued on the main actor comes before this, so it is over then.
    await MainActor.run {}
    guard !explorer.hasReadyJob else { return true }
    let clocks = explorer.clocks
    guard let step = clocks.compactMap(\.timeToNextDeadline).min() else { return true }
    for clock in clocks { clock.move(by: step) }
    return true
  }

  /// Waits for jobs from the main actor or other executors.
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
    task.cancel()
    for clock in explorer.clocks { clock.cancelSleepers() }
    while explorer.resumeIdler() {}
    _ = explorer.runReady(limit: explorer.trace.jobs + jobLimit)
    explorer.close()
  }
}
