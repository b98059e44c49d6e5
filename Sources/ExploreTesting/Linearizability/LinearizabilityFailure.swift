/// The model allows no order of the operations that a run performed.
struct NotLinearizable: Error {}

/// A concurrent program, and the seed of a run that fails.
struct LinearizabilityFailure<Model: SequentialModel>: CustomStringConvertible {
  let program: [[Model.Operation]]
  /// The operations that began.
  let events: [HistoryEvent<Model>]
  /// The failure of the run, which is ``NotLinearizable`` if the model does not allow the history.
  let failure: ExplorationFailure

  /// A sentence about the failure, and the history.
  var description: String {
    guard case .threw(is NotLinearizable) = failure.reason else {
      return """
        linearizability was not checked: with seed \(failure.seed) the run \(failure.what)
        \(history)
        """
    }
    let rest =
      events.allSatisfy { $0.response != nil }
      ? "" : ", and in which the operations without a response wait forever"
    return """
      not linearizable: \(Model.self) allows no order of these operations that respects when each \
      began and returned\(rest) (seed \(failure.seed))
      \(history)
      """
  }

  /// A line for each operation, in the order in which they began, with a bar from its beginning to its end.
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
