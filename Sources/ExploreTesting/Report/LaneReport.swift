/// A run as text, with a column for each task and its steps as lines.
///
/// ```
///    1   * |  first   hops to Account in Account.withdraw (Account.swift:7)
///    3 > | *  second  on MainActor -> Account  ends   [balance: 100 -> 20]
/// ```
/// `>` marks a forced switch: on the default schedule, another task would have run. Consecutive steps of a task share a line if
/// the task only hops or continues between them; the line has the number of the last step.
///
/// The report is ASCII, because `swift test` reads a test's output in pieces of 4,096 bytes and drops a piece that ends inside a
/// multi-byte character.
struct LaneReport: CustomStringConvertible {
  let run: RecordedRun
  /// The index of the first step shown.
  ///
  /// The report only counts the earlier steps.
  private let start: Int
  /// The indices of the lanes with at least one shown step, in the order in which their tasks were created.
  private let shown: [Int]
  /// The first and the last step of each lane; `nil` for a task without a step.
  private let spans: [ClosedRange<Int>?]
  private let tasks: WaitReport

  /// - Parameters:
  ///   - run: The recorded run.
  ///   - limit: The maximum number of steps to show. A longer run shows its last steps.
  ///   - symbols: The names of the run's functions; if `nil`, the report looks them up.
  init(run: RecordedRun, limit: Int = 60, symbols: Symbols? = nil) {
    self.run = run
    start = max(0, run.steps.count - limit)
    var spans = [ClosedRange<Int>?](repeating: nil, count: run.lanes.count)
    for (index, step) in run.steps.enumerated() {
      spans[step.lane] = (spans[step.lane]?.lowerBound ?? index)...index
    }
    self.spans = spans
    let start = start
    shown = spans.indices.filter { spans[$0].map { $0.upperBound >= start } ?? false }
    var addresses = run.lanes.flatMap { $0.origin + $0.functions }
    for step in run.steps[start...] {
      addresses += step.functions
      addresses += step.effects.compactMap(\.address)
    }
    tasks = WaitReport(run.lanes, shown: shown, symbols ?? Symbols(of: addresses))
  }

  var description: String {
    (heads + rows.map(\.text)).joined(separator: "\n")
  }

  /// A line for each shown lane, and the number of steps that are not shown.
  var heads: [String] {
    shown.enumerated().map { "  \(padded("\($0 + 1)", 3)) \(tasks.names[$1])" }
      + (start > 0 ? ["", "  ... \(counted(start, "earlier step"))"] : [""])
  }

  /// The lines of the report, each with its steps and its text.
  ///
  /// If the time has advanced, the text begins with a line that shows the time.
  var rows: [(steps: [Int], text: String)] {
    var time = Duration.zero
    return foldedSteps.map { steps in
      let now = run.steps[steps[0]].time
      defer { time = now }
      let clock = now == time ? "" : "        it is \(tasks.words(for: now))\n"
      return (steps, clock + line(steps))
    }
  }

  /// The indices of the steps of each line.
  var foldedSteps: [[Int]] {
    var result: [[Int]] = []
    for index in run.steps.indices[start...] {
      let step = run.steps[index]
      if let last = result.last?.last, run.steps[last].state.isPassing,
        run.steps[last].lane == step.lane, !step.isForced, run.steps[last].changes.isEmpty,
        run.steps[last].effects.isEmpty, run.steps[last].time == step.time
      {
        result[result.count - 1].append(index)
      } else {
        result.append([index])
      }
    }
    return result
  }

  /// One line, in which the cell of each shown lane shows whether its task runs, exists or does not exist.
  private func line(_ steps: [Int]) -> String {
    let index = steps[steps.count - 1]
    let mark = run.steps[steps[0]].isForced ? ">" : " "
    let cells = shown.map { lane in
      lane == run.steps[index].lane ? "*" : isAlive(lane, at: index) ? "|" : " "
    }.joined(separator: " ")
    let width = shown.map { tasks.names[$0].count }.max() ?? 0
    let name = padded(tasks.names[run.steps[index].lane], -width)
    let changes = run.steps[index].changes
    let values = changes.isEmpty ? "" : "   [" + changes.joined(separator: ", ") + "]"
    return "\(padded("\(index + 1)", 4)) \(mark) \(cells)  \(name)\(words(for: steps))\(values)"
  }

  /// Describes what a task does in the steps of a line.
  private func words(for steps: [Int]) -> String {
    guard let step = steps.last.map({ run.steps[$0] }) else { return "" }
    let executors = steps.compactMap { run.steps[$0].executor }.reduce(into: [String]()) {
      if $0.last != $1 { $0.append($1) }
    }
    var line = step.interrupted.map { "  in the middle of \(tasks.names[$0])" } ?? ""
    line += executors.isEmpty ? "" : "  on " + executors.joined(separator: " -> ")
    line += "  " + tasks.words(for: step.state)
    if step.state != .ended { line += tasks.place(step.functions, of: step.lane, " in ") }
    for effect in step.effects { line += ", " + words(for: effect) }
    return line
  }

  /// The cycles of tasks that are waiting for each other, and what unfinished tasks are waiting for, at most 60 of each.
  var waits: [String] { tasks.lines(of: spans.indices.filter { spans[$0] != nil }) }

  private func isAlive(_ lane: Int, at index: Int) -> Bool {
    guard let span = spans[lane], span.lowerBound <= index else { return false }
    return index <= span.upperBound || run.lanes[lane].state != .ended
  }

  private func words(for effect: RecordedRun.Effect) -> String {
    switch effect {
    case .resumes(let lane): "resumes \(tasks.names[lane])"
    case .resumesAgain(let lane): "resumes \(tasks.names[lane]) a second time"
    case .cancels(let lane): "cancels \(tasks.names[lane])"
    case .readsForeignClock: "reads a clock or random numbers that the seed does not control"
    case .fails(let words, let address):
      words + (address.flatMap { tasks.symbols.innermost([$0])?.line }.map { " (\($0))" } ?? "")
    case .happens(let words, let isFault): isFault ? "fault: \(words)" : words
    }
  }
}

/// Pads the text with spaces to a width, aligned right, or aligned left if the width is negative.
func padded(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? text + space : space + text
}
