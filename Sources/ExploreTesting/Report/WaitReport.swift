/// The names of tasks, and what each task is waiting for.
struct WaitReport {
  /// The maximum number of tasks shown.
  private static let limit = 60

  let lanes: [RecordedRun.Lane]
  let names: [String]
  /// The names without the numbers that distinguish equal names.
  private let kinds: [String]
  let symbols: Symbols
  /// The function that contains the scenario.
  ///
  /// The report leaves it out, because most names would repeat it.
  private let test: String?

  /// - Parameters:
  ///   - lanes: The tasks.
  ///   - shown: The lanes that get a number if several have the same name.
  ///   - symbols: The functions of these tasks.
  init(_ lanes: [RecordedRun.Lane], shown: [Int], _ symbols: Symbols) {
    self.lanes = lanes
    self.symbols = symbols
    let scenario = lanes.first.flatMap { $0.name == "scenario" ? $0.origin : nil } ?? []
    let test = symbols.outermost(scenario)?.function.function
    self.test = test
    kinds = lanes.enumerated().map { number, lane in
      // A task that has been suspended only in library functions is named after the first actor that it reached.
      lane.name ?? symbols.outermost(lane.origin)?.name(without: test)
        ?? lane.home.map { "task of \($0)" }
        ?? symbols.ownStart(lane.origin)?.function.description ?? "task \(number + 1)"
    }
    var names = kinds
    for lanes in Dictionary(grouping: shown, by: { names[$0] }).values where lanes.count > 1 {
      for (index, lane) in lanes.enumerated() { names[lane] += " (\(index + 1))" }
    }
    self.names = names
  }

  /// The cycles, then the unfinished tasks: first those that block a thread, last those that wait for a task, actor or thread.
  func lines(of tasks: [Int]) -> [String] {
    func rank(_ lane: Int) -> Int {
      switch lanes[lane].state {
      case .keepsThread: 0
      case .awaitsTask, .awaitsGroup, .awaitsActor, .starves: 2
      default: 1
      }
    }
    let unfinished = tasks.filter { lanes[$0].state != .ended }
    let ordered = (0...2).flatMap { number in unfinished.filter { rank($0) == number } }
    let more = ordered.count - Self.limit
    return cycles.prefix(Self.limit).map { cycle in
      "a cycle: " + cycle.map { names[$0] }.joined(separator: " -> ")
    } + ordered.prefix(Self.limit).map(line) + (more > 0 ? ["... and \(more) more"] : [])
  }

  private func line(_ number: Int) -> String {
    let lane = lanes[number]
    var text = lane.isCancelled ? " was cancelled, but " : " "
    text += words(for: lane.state)
    if [.keepsThread, .awaitsContinuation].contains(lane.state),
      let called = symbols.called(lane.functions)
    {
      text += " in \(called.function)"
    }
    return "\(names[number])\(text)\(place(lane.functions, of: number, ", in "))"
  }

  /// The function and line in which a task is suspended, or only the line if the function is the task's name.
  func place(_ functions: [UInt], of lane: Int, _ link: String) -> String {
    guard let place = symbols.innermost(functions) else { return "" }
    // With a line, a reader does not have to count closures.
    let function =
      place.line == nil ? place.function.words(without: test) : place.function.function
    // Inside the scenario the line is enough.
    let isKnown =
      place.name(without: test) == kinds[lane] || function == test && place.line != nil
    return (isKnown ? "" : link + function) + (place.line.map { " (\($0))" } ?? "")
  }

  /// Returns the tasks for which a task is waiting; `children` contains the unfinished child tasks of each task.
  private func awaited(by lane: Int, _ children: [Int?: [Int]]) -> [Int] {
    switch lanes[lane].state {
    case .awaitsTask(let task): [task].compactMap(\.self)
    case .awaitsActor(_, let holder): [holder].compactMap(\.self)
    case .awaitsGroup: children[lane] ?? []
    default: []
    }
  }

  /// Cycles of tasks, each of which waits for the next.
  ///
  /// This depth-first search is not recursive, because thousands of tasks may wait for each other in a chain.
  private var cycles: [[Int]] {
    let unfinished = lanes.indices.filter { lanes[$0].state != .ended }
    let children = Dictionary(grouping: unfinished) { lanes[$0].parent }
    var cycles: [[Int]] = []
    var done: Set<Int> = []
    // The tasks from the first one to the current one, the position of each, and the tasks that remain to be followed from each.
    var (path, positions, rest): ([Int], [Int: Int], [ArraySlice<Int>]) = ([], [:], [])
    for first in lanes.indices {
      var next = Optional(first)
      repeat {
        if let lane = next {
          if let start = positions[lane] { cycles.append(path[start...] + [lane]) }
          if done.insert(lane).inserted {
            positions[lane] = path.count
            path.append(lane)
            rest.append(awaited(by: lane, children)[...])
          }
        } else if let last = path.popLast() {
          positions[last] = nil
          rest.removeLast()
        }
        next = rest.indices.last.flatMap { rest[$0].popFirst() }
      } while !path.isEmpty
    }
    return cycles
  }

  func words(for state: RecordedRun.TaskState) -> String {
    switch state {
    case .ready: "continues"
    case .hops(let place): "hops to \(place)"
    case .sleeps(let time): "sleeps" + (time.map { " \(words(for: $0))" } ?? "")
    case .awaitsTask(let lane?): "awaits \(names[lane])"
    case .awaitsTask(nil): "awaits a task"
    case .awaitsContinuation: "awaits a continuation"
    case .awaitsGroup: "awaits its child tasks"
    case .awaitsActor(let actor, let holder):
      "waits for \(actor)" + (holder.map { ", on which \(names[$0]) runs" } ?? "")
    case .keepsThread: "blocks its thread"
    case .starves: "is ready, but no thread runs it"
    case .ended: "ends"
    case .unknown: "suspends"
    }
  }

  func words(for time: Duration) -> String { "\(time)".replacing(" seconds", with: " s") }
}

extension Symbols.Place {
  /// The name of a task that starts here; a closure is named by its line if the line is known.
  fileprivate func name(without known: String?) -> String {
    guard function.closure != nil, let start else { return function.words(without: known) }
    return "closure at \(start)"
  }
}

extension FunctionName {
  /// The function's name; only the closure's numbers if the report already names the function.
  fileprivate func words(without known: String?) -> String {
    function == known ? closure ?? description : description
  }
}
