extension Exploration {
  /// Runs the seeds, or one of them, until one fails.
  ///
  /// - Returns: The outcome, and the measure of the scenario for strategies that need one.
  func outcome(
    only seed: UInt64?, in context: TestContext, hasIssue: () -> Bool,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> (outcome: Outcome, measure: ScenarioMeasure) {
    var account = ExplorationAccount()
    var loan = ThreadLoan()
    defer { ProcessAccount.add(account) }
    let isDrawn = seed == nil
    var measure = await measure(for: seed ?? 0, in: context, scenario)
    for number in 0..<(isDrawn ? UInt64(seeds) : 1) {
      let seed = seed ?? number
      if Task.isCancelled { return (Outcome(failure: nil, account: account), measure) }
      var plan = RunPlan(seed: seed, strategy: strategy, measure: measure)
      plan.isMeasured = isDrawn && seed == 0
      let (run, schedule) = await run(plan, in: context, scenario)
      account.add(run.account)
      if let failure = failure(of: run, seed: seed, hasIssue: hasIssue) {
        return (Outcome(failure: failure, account: account), measure)
      }
      if let measured = schedule.measure { measure = measured }
      await loan.settle(after: run.account)
    }
    let unmet = seed == nil && !Task.isCancelled ? context.failure : nil
    let failure = unmet ?? failure(of: account, isReplay: seed != nil)
    return (Outcome(failure: failure, account: account), measure)
  }

  /// Measures the scenario by a run of seed 0, if the strategy of a seed needs that.
  func measure(
    for seed: UInt64, in context: TestContext,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ScenarioMeasure {
    guard seed != 0, strategy.drawn(for: seed).needsMeasure else { return ScenarioMeasure() }
    var plan = RunPlan(seed: 0, strategy: strategy, measure: ScenarioMeasure())
    plan.isMeasured = true
    return await run(plan, in: context, scenario).schedule.measure ?? ScenarioMeasure()
  }

  /// The failure of a run, issues and foreign work included.
  func failure(of run: Run, seed: UInt64, hasIssue: () -> Bool) -> ExplorationFailure? {
    if let failure = run.failure { return failure }
    if hasIssue() { return ExplorationFailure(seed: seed, reason: .issue, trace: run.trace) }
    guard run.account.hasForeignWork, !allowing.contains(.foreignWork), !Task.isCancelled else {
      return nil
    }
    return ExplorationFailure(seed: seed, reason: .foreignWork(run.account), trace: run.trace)
  }

  /// The failure of all runs together: that none had a choice.
  private func failure(of account: ExplorationAccount, isReplay: Bool) -> ExplorationFailure? {
    guard account.runs > 0, account.choices == 0, !isReplay, !allowing.contains(.noChoice),
      !Task.isCancelled
    else { return nil }
    return ExplorationFailure(seed: 0, reason: .noChoice, trace: ExplorationTrace())
  }
}
