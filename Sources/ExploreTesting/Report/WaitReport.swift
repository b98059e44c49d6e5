/// What each of some tasks is called, and what it waits for.
struct WaitReport {
  /// How many tasks are shown at most.
  private static let limit = 60

  let lanes: [RecordedRun.Lane]
  let names: [String]
  /// The names without the numbers of those that have the same.
  private let kinds: [String]
  let symbols: Symbols
  /// The function in which the scenario is written: most names would repeat it.
  private let test: String?

  /// - Parameters:
  ///   - lanes: The tasks.
  ///   - shown: The lanes that get a number where several have one name.
  ///   - symbols: The functions of these tasks.
  init(_ lanes: [RecordedRun.Lane], shown: [Int], _ symbols: Symbols) {
    self.lanes = lanes
    self.symbols = symbols
    let scenario = lanes.first.flatMap { $0.name == "scenario" ? $0.origin : nil } ?? []
    let test = symbols.outermost(scenario)?.function.function
    self.test = test
    kinds = lanes.enumerated().map { number, lane in
      // A task that was in functions of libraries only is called after the actor that it came to.
      lane.name ?? symbols.outermost(lane.origin)?.name(without: test)
        ?? lane.home.map { "task of \($0)" }
        ?? symbols.packages(lane.origin)?.function.description ?? "task \(number + 1)"
    }
    var names = kinds
    for lanes in Dictionary(grouping: shown, by: { names[$0] }).values where lanes.count > 1 {
      for (index, lane) in lanes.enumerated() { names[lane] += " (\(index + 1))" }
    }
    self.names = names
  }

  /// The circles, and the unfinished tasks: first those that keep a thread, then those that wait for no other task.
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
    return circles.prefix(Self.limit).map { circle in
      "a circle: " + circle.map { names[$0] }.joined(separator: " -> ")
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

  /// The function and the line at which a task is; without the function, if the task is called after it.
  func place(_ functions: [UInt], of lane: Int, _ link: String) -> String {
    guard let place = symbols.innermost(functions) else { return "" }
    // Where there is a line, nobody has to count closures.
    let function =
      place.line == nil ? place.function.words(without: test) : place.function.function
    // Of what the scenario itself does the line is enough.
    let isKnown =
      place.name(without: test) == kinds[lane] || function == test && place.line != nil
    return (isKnown ? "" : link + function) + (place.line.map { " (\($0))" } ?? "")
  }

  /// The tasks that have to go on before a task does.
  private func awaited(by lane: Int) -> [Int] {
    switch lanes[lane].state {
    case .awaitsTask(let task): [task].compactMap(\.self)
    case .awaitsActor(_, let holder): [holder].compactMap(\.self)
    case .awaitsGroup:
      lanes.indices.filter { lanes[$0].parent == lane && lanes[$0].state != .ended }
    default: []
    }
  }

  /// Tasks of which each waits for the next.
  private var circles: [[Int]] {
    var circles: [[Int]] = []
    var done: Set<Int> = []
    var path: [Int] = []
    func follow(_ lane: Int) {
      if let start = path.firstIndex(of: lane) { circles.append(path[start...] + [lane]) }
      guard done.insert(lane).inserted else { return }
      path.append(lane)
      for next in awaited(by: lane) { follow(next) }
      path.removeLast()
    }
    for lane in lanes.indices { follow(lane) }
    return circles
  }

  func words(for state: RecordedRun.TaskState) -> String {
    switch state {
    case .ready: "goes on"
    case .hops(let place): "hops to \(place)"
    case .sleeps(let time): "sleeps" + (time.map { " \(words(for: $0))" } ?? "")
    case .awaitsTask(let lane?): "awaits \(names[lane])"
    case .awaitsTask(nil): "awaits a task"
    case .awaitsContinuation: "awaits a continuation"
    case .awaitsGroup: "awaits its child tasks"
    case .awaitsActor(let actor, let holder):
      "waits for \(actor)" + (holder.map { ", on which \(names[$0]) runs" } ?? "")
    case .keepsThread: "keeps its thread"
    case .starves: "is ready, and no thread takes it"
    case .ended: "ends"
    case .unknown: "suspends"
    }
  }

  func words(for time: Duration) -> String { "\(time)".replacing(" seconds", with: " s") }
}

extension Symbols.Place {
  /// The name of a task that begins here: a closure is found by its line, where that is known.
  fileprivate func name(without known: String?) -> String {
    guard function.closure != nil, let start else { return function.words(without: known) }
    return "closure at \(start)"
  }
}

extension FunctionName {
  /// Its name, and of a closure in the function that a report need not repeat only its numbers.
  fileprivate func words(without known: String?) -> String {
    function == known ? closure ?? description : description
  }
}
