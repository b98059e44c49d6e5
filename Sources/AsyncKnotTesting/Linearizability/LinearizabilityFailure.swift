/// A concurrent program, and a seed with which it goes wrong.
struct LinearizabilityFailure<Model: SequentialModel>: CustomStringConvertible {
  let program: [[Model.Operation]]
  let seed: UInt64
  /// The operations that have returned.
  let events: [HistoryEvent<Model>]
  /// Why the run failed; `nil` where it ended with a history that the model does not have.
  let failure: ExplorationFailure?

  /// What went wrong, and what the operations have answered.
  var description: String {
    guard let failure else {
      return """
        not linearizable: no order of these operations, in keeping with when each began and returned, \
        is one of \(Model.self) (seed \(seed))
        \(history)
        """
    }
    return """
      linearizability was not checked: with seed \(seed) the run \(failure.what)
      \(operations)
      returned:
      \(history)
      """
  }

  /// A line for each task.
  private var operations: String {
    program.enumerated().map { thread, operations in
      "  task \(thread + 1): " + operations.map { "\($0)" }.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  /// A line for each operation, in the order in which they began; the bar tells from when to when.
  private var history: String {
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
