extension Exploration {
  /// Runs the seeds, or one of them, until one fails.
  ///
  /// - Returns: How it went, and how long the scenario is, for strategies that need to know.
  func outcome(
    only seed: UInt64?, in context: TestContext, hasIssue: () -> Bool,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> (outcome: Outcome, length: Int) {
    var account = ExplorationAccount()
    var loan = ThreadLoan()
    defer { ProcessAccount.add(account) }
    var length = await measure(for: seed ?? 0, in: context, scenario)
    for seed in seed.map({ $0..<$0 + 1 }) ?? 0..<UInt64(seeds) {
      if Task.isCancelled { return (Outcome(failure: nil, account: account), length) }
      let run = await run(seed, length: length, in: context, scenario)
      account.add(run.account)
      if let failure = failure(of: run, seed: seed, hasIssue: hasIssue) {
        return (Outcome(failure: failure, account: account), length)
      }
      if seed == 0 { length = run.trace.decisions }
      await loan.settle(after: run.account)
    }
    let unmet = seed == nil && !Task.isCancelled ? context.unmetConditions : []
    let failure =
      unmet.isEmpty
      ? failure(of: account, isReplay: seed != nil)
      : ExplorationFailure(seed: 0, reason: .never(unmet), trace: ExplorationTrace())
    return (Outcome(failure: failure, account: account), length)
  }

  /// How long the scenario is, for a strategy that needs to know: the run of seed 0 shows it.
  func measure(
    for seed: UInt64, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Int {
    guard seed != 0, case .pct(_, jobs: nil) = strategy.drawn(for: seed) else { return 0 }
    return await run(0, length: 0, in: context, scenario).trace.decisions
  }

  func failure(of run: Run, seed: UInt64, hasIssue: () -> Bool) -> ExplorationFailure? {
    if let failure = run.failure { return failure }
    if hasIssue() { return ExplorationFailure(seed: seed, reason: .issue, trace: run.trace) }
    guard run.account.hasForeignWork, !allowing.contains(.foreignWork), !Task.isCancelled else {
      return nil
    }
    return ExplorationFailure(seed: seed, reason: .foreignWork(run.account), trace: run.trace)
  }

  /// What the runs are as a whole.
  private func failure(of account: ExplorationAccount, isReplay: Bool) -> ExplorationFailure? {
    guard account.runs > 0, account.choices == 0, !isReplay, !allowing.contains(.noChoice),
      !Task.isCancelled
    else { return nil }
    return ExplorationFailure(seed: 0, reason: .noChoice, trace: ExplorationTrace())
  }
}
