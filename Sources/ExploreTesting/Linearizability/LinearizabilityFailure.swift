/// A concurrent program, and a seed with which it goes wrong.
struct LinearizabilityFailure<Model: SequentialModel>: CustomStringConvertible {
  let program: [[Model.Operation]]
  /// The operations that have begun.
  let events: [HistoryEvent<Model>]
  /// The failure of the run: an issue where it has a history that the model does not have.
  let failure: ExplorationFailure

  /// What went wrong, and what the operations have answered.
  var description: String {
    guard case .issue = failure.reason else {
      return """
        linearizability was not checked: with seed \(failure.seed) the run \(failure.what)
        \(history)
        """
    }
    let rest =
      events.allSatisfy { $0.response != nil }
      ? "" : ", after which those without an answer may wait for ever,"
    return """
      not linearizable: no order of these operations, in keeping with when each began and returned\(rest) \
      is one of \(Model.self) (seed \(failure.seed))
      \(history)
      """
  }

  /// A line for each operation, in the order in which they began; the bar tells from when to when.
  private var history: String {
    let last = events.map { $0.response == nil ? $0.begin : $0.end }.max() ?? 0
    return events.sorted { $0.begin < $1.begin }.map { event in
      let bar = (1...max(1, last)).map { time in
        time < event.begin || time > event.end
          ? " " : time == event.begin ? "├" : time == event.end ? "┤" : "─"
      }.joined()
      let answer = event.response.map { "→ \($0)" } ?? "never returns"
      return "  task \(event.thread + 1)  \(bar)  \(event.operation) \(answer)"
    }.joined(separator: "\n")
  }
}
