/// A run as text: a lane for each task, a line for each step.
///
/// ```
///    1   * |  first   hops to Account in Account.withdraw(Int) (Account.swift:7)
///    3 > | *  second  on MainActor > Account  ends   [balance: 100 -> 20]
/// ```
/// `>` marks a step that was forced: without it the task before would have gone on. Steps in which a task only
/// hops on, without another task between them, are one line, which has the number of the last.
///
/// The report is written in ASCII. `swift test` reads the output of a test in pieces of 4,096 bytes, and drops
/// a piece at whose end a character of several bytes is cut: a long report would be lost.
struct LaneReport: CustomStringConvertible {
  /// How many steps and how many unfinished tasks are shown at most.
  private static let limit = 60

  let run: RecordedRun
  /// The number of the first step that is shown; the steps before it are only counted.
  private let start: Int
  /// The lanes that have a step among those shown, in the order in which their tasks were made.
  private let shown: [Int]
  /// The first and the last step of each lane; `nil` for a task that has only been made.
  private let spans: [ClosedRange<Int>?]
  private let names: [Name]
  private var symbols = Symbols()

  /// The name of a lane.
  private struct Name: CustomStringConvertible {
    var text: String
    /// Its number among the lanes of one name, in brackets; empty where it is the only one.
    var number = ""
    var description: String { text + number }
    /// The name in a column of limited width; the number is never cut off.
    var inColumn: String { shortened(text, to: 36 - number.count) + number }
  }

  init(run: RecordedRun) {
    self.run = run
    start = max(0, run.steps.count - Self.limit)
    var spans = [ClosedRange<Int>?](repeating: nil, count: run.lanes.count)
    for (index, step) in run.steps.enumerated() {
      spans[step.lane] = (spans[step.lane]?.lowerBound ?? index)...index
    }
    self.spans = spans
    let start = start
    shown = spans.indices.filter { spans[$0].map { $0.upperBound >= start } ?? false }
    names = Self.names(of: run.lanes, shown: shown)
    symbols.findLines(of: run.steps[start...].map(\.address).filter { $0 != 0 })
  }

  /// The name of each lane, with a number where several lanes that are shown have one name.
  private static func names(of lanes: [RecordedRun.Lane], shown: [Int]) -> [Name] {
    var names = lanes.enumerated().map { lane, task in
      // A task that was in functions of libraries only is called after the actor that it came to.
      Name(
        text: task.name
          ?? (lane == 0 ? "scenario" : task.home.map { "task of \($0)" } ?? "task \(lane)"))
    }
    for lanes in Dictionary(grouping: shown, by: { names[$0].text }).values where lanes.count > 1 {
      for (index, lane) in lanes.enumerated() { names[lane].number = " (\(index + 1))" }
    }
    return names
  }

  var description: String {
    var lines = heads + (start > 0 ? ["", "  ... \(start) steps before"] : [""])
    var time = Duration.zero
    for steps in foldedSteps {
      guard let last = steps.last else { continue }
      if run.steps[last].time != time {
        time = run.steps[last].time
        lines.append("        it is \(words(for: time))")
      }
      lines.append(line(steps))
    }
    return lines.joined(separator: "\n")
  }

  /// A line for each lane.
  var heads: [String] {
    shown.enumerated().map { "  \(padded("\($0 + 1)", 3)) \(names[$1])" }
  }

  /// The numbers of the steps of each line.
  var foldedSteps: [[Int]] {
    var result: [[Int]] = []
    for index in run.steps.indices[start...] {
      let step = run.steps[index]
      if let last = result.last?.last, case .hops = run.steps[last].state,
        run.steps[last].lane == step.lane, !step.isForced, run.steps[last].changes.isEmpty,
        run.steps[last].deeds.isEmpty, run.steps[last].time == step.time
      {
        result[result.count - 1].append(index)
      } else {
        result.append([index])
      }
    }
    return result
  }

  /// The line of some steps, with a cell for each lane: whether its task runs, waits or is not there.
  func line(_ steps: [Int]) -> String {
    let index = steps[steps.count - 1]
    let mark = run.steps[steps[0]].isForced ? ">" : " "
    let cells = shown.map { lane in
      lane == run.steps[index].lane ? "*" : isAlive(lane, at: index) ? "|" : " "
    }.joined(separator: " ")
    let width = shown.map { names[$0].inColumn.count }.max() ?? 0
    let name = padded(names[run.steps[index].lane].inColumn, -width)
    let changes = run.steps[index].changes
    let values = changes.isEmpty ? "" : "   [" + changes.joined(separator: ", ") + "]"
    return "\(padded("\(index + 1)", 4)) \(mark) \(cells)  \(name)\(words(for: steps))\(values)"
  }

  /// What a task does in the steps of a line.
  private func words(for steps: [Int]) -> String {
    guard let step = steps.last.map({ run.steps[$0] }) else { return "" }
    let executors = steps.compactMap { run.steps[$0].executor }
    var line = executors.isEmpty ? "" : "  on " + executors.joined(separator: " > ")
    line += "  " + words(for: step.state)
    if step.state != .ended {
      line += place(step.place, of: step.lane, " in ")
      if let source = symbols.line(of: step.address) { line += " (\(source))" }
    }
    for deed in step.deeds { line += ", " + words(for: deed) }
    return line
  }

  /// The unfinished tasks and what each of them waits for, and the circle if some wait for each other.
  var waits: [String] {
    let waiting = spans.indices.filter { spans[$0] != nil && run.lanes[$0].state != .ended }
    var lines = waiting.prefix(Self.limit).map { lane in
      let state = run.lanes[lane]
      return "\(names[lane]) \(words(for: state.state))\(place(state.place, of: lane, ", in "))"
    }
    if waiting.count > lines.count { lines.append("... and \(waiting.count - lines.count) more") }
    if let circle {
      lines.append("a circle: " + circle.map { "\(names[$0])" }.joined(separator: " -> "))
    }
    return lines
  }

  /// Tasks of which each awaits the next.
  private var circle: [Int]? {
    for start in run.lanes.indices {
      var path = [start]
      while case .awaitsTask(let next?) = run.lanes[path[path.count - 1]].state {
        if next == start { return path + [start] }
        if path.contains(next) { break }
        path.append(next)
      }
    }
    return nil
  }

  private func isAlive(_ lane: Int, at index: Int) -> Bool {
    guard let span = spans[lane], span.lowerBound <= index else { return false }
    return index <= span.upperBound || run.lanes[lane].state != .ended
  }

  /// The function in which a task has suspended, unless the task is called after it.
  private func place(_ place: String?, of lane: Int, _ link: String) -> String {
    place.map { $0 == run.lanes[lane].name ? "" : link + $0 } ?? ""
  }

  private func words(for deed: RecordedRun.Deed) -> String {
    switch deed {
    case .resumes(let lane): "resumes \(names[lane])"
    case .resumesAgain(let lane): "resumes \(names[lane]) a second time"
    case .cancels(let lane): "cancels \(names[lane])"
    case .readsWallClock: "reads the wall clock, which is not the seed's"
    }
  }

  private func words(for time: Duration) -> String {
    "\(time)".replacing(" seconds", with: " s")
  }

  private func words(for state: RecordedRun.TaskState) -> String {
    switch state {
    case .ready: "goes on"
    case .hops(let place): "hops to \(place)"
    case .sleeps(let time): "sleeps" + (time.map { " \(words(for: $0))" } ?? "")
    case .awaitsTask(let lane?): "awaits \(names[lane])"
    case .awaitsTask(nil): "awaits a task"
    case .awaitsContinuation: "awaits a continuation"
    case .awaitsGroup: "awaits its child tasks"
    case .ended: "ends"
    case .unknown: "suspends"
    }
  }
}

/// The text, cut where it is too long for a report.
func shortened(_ text: String, to length: Int = 80) -> String {
  text.count > length ? "\(text.prefix(length - 3))..." : text
}

/// The text in a column: to the right, or to the left where the width is negative.
func padded(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? text + space : space + text
}
