/// A run as text: a lane for each task, a line for each step.
///
/// ```
///       1 2 3
///   1   ●      withdraw-1   on Account  then hops   balance: 100 → 20
///   2 ▶   ●    withdraw-2   on Account  then ends   balance: 20 → -60
/// ```
/// `▶` marks a step that was forced: without it the task before would have gone on.
struct LaneReport: CustomStringConvertible {
  let run: RecordedRun
  /// How many steps are shown at most: the last ones.
  var limit = 60

  /// The lanes that are shown; many tasks of a run do nothing but start.
  private var shown: [Int] {
    run.lanes.indices.filter { lane in run.steps.contains { $0.lane == lane } }
  }

  var description: String {
    let shown = shown
    let column = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
    var lines = shown.map { lane in
      "  \(padded(column[lane].map { "\($0 + 1)" } ?? "", 3)) \(name(of: lane))"
    }
    lines.append("")
    let steps = run.steps.enumerated().suffix(limit)
    if steps.count < run.steps.count {
      lines.append("  … \(run.steps.count - steps.count) steps before")
    }
    let widthOfNames = min(36, shown.map { name(of: $0).count }.max() ?? 0)
    for (index, step) in steps {
      var cells = shown.map { lane in isAlive(lane, at: index) ? "│" : " " }
      if let place = column[step.lane] { cells[place] = "●" }
      let mark = step.isForced ? "▶" : " "
      var line = "\(padded("\(index + 1)", 4)) \(mark) \(cells.joined(separator: " "))  "
      line += padded(shortened(name(of: step.lane), to: 36), -widthOfNames)
      if let executor = step.executor { line += "  on \(executor)" }
      line += "  " + words(for: step)
      if !step.changes.isEmpty { line += "   [" + step.changes.joined(separator: ", ") + "]" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Who waits for whom at the end, and the circle if there is one.
  var waits: [String] {
    var lines: [String] = []
    for lane in shown where run.lanes[lane].state != .ended {
      let place = run.lanes[lane].place.map { ", in \($0)" } ?? ""
      lines.append("\(name(of: lane)) \(words(for: run.lanes[lane].state))\(place)")
    }
    if let circle { lines.append("a circle: " + circle.map(name).joined(separator: " → ")) }
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
    let steps = run.steps.indices.filter { run.steps[$0].lane == lane }
    guard let first = steps.first, first <= index, let last = steps.last else { return false }
    return index <= last || run.lanes[lane].state != .ended
  }

  func name(of lane: Int) -> String {
    if let name = run.lanes[lane].name { return name }
    return lane == 0 ? "scenario" : "task \(lane)"
  }

  private func words(for step: RecordedRun.Step) -> String {
    let place = step.place.map { " in \($0)" } ?? ""
    return words(for: step.state) + (step.state == .ended ? "" : place)
  }

  private func words(for state: RecordedRun.TaskState) -> String {
    switch state {
    case .ready: "goes on"
    case .hops(let place): "hops to \(place)"
    case .sleeps: "sleeps"
    case .awaitsTask(let lane?): "awaits \(name(of: lane))"
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
  text.count > length ? "\(text.prefix(length - 1))…" : text
}

/// The text in a column: to the right, or to the left where the width is negative.
func padded(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? text + space : space + text
}
