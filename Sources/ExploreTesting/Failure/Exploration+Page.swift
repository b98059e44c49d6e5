extension Exploration {
  /// Renders one run, failed or not, as a page for a browser, with its steps and the values of `watch` after each step.
  ///
  /// ```swift
  /// let page = await Exploration().page(seed: 7, scenario)
  /// print(page)
  /// ```
  /// A failing test writes such a page of its shortest schedule; a test that passes with `EXPLORE_SEED` writes one of its run.
  /// The page shows the last 1,000 steps and needs no network. The run takes place on the caller's thread.
  ///
  /// - Parameters:
  ///   - seed: The seed of the run.
  ///   - scenario: The code to run.
  /// - Returns: The page, as HTML.
  public func page(
    seed: UInt64, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> String {
    let context = TestContext()
    defer { context.end() }
    let recorder = RunRecorder()
    var plan = RunPlan(seed: seed, Chooser(strategy, seed: seed, interrupts: interrupts))
    plan.recorder = recorder
    let failure = await run(plan, in: context, scenario).run.failure
    return SchedulePage(
      title: failure.map { "\($0)" } ?? "seed \(seed) passes", run: recorder.run
    ).text
  }
}
