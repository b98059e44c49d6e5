/// Runs concurrent programs and checks their histories.
struct LinearizabilityCheck<Model: SequentialModel, Subject: Sendable>: Sendable {
  typealias Program = [[Model.Operation]]

  let model: Model
  let exploration: Exploration
  let monitor: IssueMonitor
  let subject: @Sendable () async -> Subject
  let perform: @Sendable (Subject, Model.Operation) async -> Model.Response

  /// Returns the first failing schedule of a program; `nil` if none fails or the task is cancelled.
  func firstFailure(
    of program: Program, in context: TestContext
  ) async -> LinearizabilityFailure<Model>? {
    let log = HistoryLog<Model>()
    var seeds = SeedPlans(exploration)
    // An operation that waits forever stalls its run. The model decides whether that is allowed.
    let judge: Judge = { _, reason in
      switch monitor.takeIssue() ?? reason {
      case .stalled where log.events.allSatisfy({ $0.response != nil }): return reason
      case nil, .stalled:
        var checker = LinearizabilityChecker(log.events)
        return checker.accepts(model) ? nil : .threw(NotLinearizable())
      case let other: return other
      }
    }
    let result = await exploration.loop(over: &seeds, in: context, judge: judge) {
      log.removeAll()
      let subject = await subject()
      await withDiscardingTaskGroup { group in
        for (thread, operations) in program.enumerated() {
          group.addTask {
            for operation in operations {
              await log.perform(operation, thread: thread) { await perform(subject, $0) }
            }
          }
        }
      }
    }
    guard let failure = result.failure else { return nil }
    // Another program may meet the conditions of `sometimes`.
    if case .never = failure.reason { return nil }
    return LinearizabilityFailure(program: program, events: log.events, failure: failure)
  }

  /// Removes operations from the program while some schedule of it still fails.
  func shrunk(
    _ failure: LinearizabilityFailure<Model>, in context: TestContext
  ) async -> LinearizabilityFailure<Model> {
    for thread in failure.program.indices.reversed() {
      for index in failure.program[thread].indices.reversed() {
        var program = failure.program
        program[thread].remove(at: index)
        if let smaller = await firstFailure(of: program, in: context) {
          return await shrunk(smaller, in: context)
        }
      }
    }
    return failure
  }
}
