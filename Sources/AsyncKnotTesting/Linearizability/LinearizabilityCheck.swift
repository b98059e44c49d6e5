/// Runs concurrent programs and judges their histories.
struct LinearizabilityCheck<Model: SequentialModel, Subject: Sendable>: Sendable {
  typealias Program = [[Model.Operation]]

  /// A program, a seed, and the history that the model does not have.
  struct Failure: CustomStringConvertible {
    let program: Program
    let seed: UInt64
    let events: [HistoryEvent<Model>]

    /// A line for each operation, in the order in which they began; the bar tells from when to when.
    var description: String {
      let last = events.map(\.end).max() ?? 0
      return events.sorted { $0.begin < $1.begin }.map { event in
        let bar = (1...max(1, last)).map { time in
          time < event.begin || time > event.end
            ? " " : time == event.begin ? "├" : time == event.end ? "┤" : "─"
        }.joined()
        return "  task \(event.thread + 1)  \(bar)  \(event.operation) → \(event.response)"
      }.joined(separator: "\n")
    }
  }

  let model: Model
  let seeds: Int
  let subject: @Sendable () async -> Subject
  let perform: @Sendable (Subject, Model.Operation) async -> Model.Response

  /// The first schedule of a program whose history is not one of the model's.
  func firstFailure(of program: Program) async -> Failure? {
    let exploration = Exploration(seeds: seeds, allowing: [.noChoice])
    for seed in 0..<UInt64(seeds) {
      let log = HistoryLog<Model>()
      let run = await exploration.run(seed: seed) {
        // A strategy may run the scenario once before, to see how long it is.
        log.removeAll()
        let subject = await subject()
        let tasks = program.enumerated().map { thread, operations in
          Task {
            for operation in operations {
              await log.perform(operation, thread: thread) { await perform(subject, $0) }
            }
          }
        }
        for task in tasks { await task.value }
      }
      var checker = LinearizabilityChecker(log.events)
      if run.failure != nil || !checker.accepts(model) {
        return Failure(program: program, seed: seed, events: log.events)
      }
    }
    return nil
  }

  /// Takes operations away as long as some schedule still fails.
  func shrunk(_ failure: Failure) async -> Failure {
    var best = failure
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for thread in best.program.indices.reversed() {
        for index in best.program[thread].indices.reversed() {
          var program = best.program
          program[thread].remove(at: index)
          guard let smaller = await firstFailure(of: program) else { continue }
          best = smaller
          isSmaller = true
          break
        }
        if isSmaller { break }
      }
    }
    return best
  }
}
