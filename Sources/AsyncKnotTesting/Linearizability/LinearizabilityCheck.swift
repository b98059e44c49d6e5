/// Runs concurrent programs and judges their histories.
struct LinearizabilityCheck<Model: SequentialModel, Subject: Sendable>: Sendable {
  typealias Program = [[Model.Operation]]

  let model: Model
  let seeds: Int
  var exploration = Exploration()
  let subject: @Sendable () async -> Subject
  let perform: @Sendable (Subject, Model.Operation) async -> Model.Response

  /// The first schedule of a program that goes wrong; `nil` where none does, or the task is cancelled.
  func firstFailure(of program: Program) async -> LinearizabilityFailure<Model>? {
    for seed in 0..<UInt64(seeds) {
      let log = HistoryLog<Model>()
      let run = await exploration.run(seed: seed) {
        // A strategy may run the scenario once before, to see how long it is.
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
      // Operations are missing in the history of a run that was cancelled.
      if Task.isCancelled { return nil }
      var checker = LinearizabilityChecker(log.events)
      if run.failure != nil || !checker.accepts(model) {
        return LinearizabilityFailure(
          program: program, seed: seed, events: log.events, failure: run.failure)
      }
    }
    return nil
  }

  /// Takes operations away as long as some schedule still fails.
  func shrunk(_ failure: LinearizabilityFailure<Model>) async -> LinearizabilityFailure<Model> {
    var check = self
    // Code outside of the run did not wake the whole program, and so will not wake a shorter one.
    check.exploration.patience = .zero
    var best = failure
    while let smaller = await check.smaller(best) { best = smaller }
    return best
  }

  /// A program with one operation less that still fails; `nil` where there is none.
  private func smaller(
    _ failure: LinearizabilityFailure<Model>
  ) async -> LinearizabilityFailure<Model>? {
    for thread in failure.program.indices.reversed() {
      for index in failure.program[thread].indices.reversed() {
        var program = failure.program
        program[thread].remove(at: index)
        if let smaller = await firstFailure(of: program) { return smaller }
      }
    }
    return nil
  }
}
