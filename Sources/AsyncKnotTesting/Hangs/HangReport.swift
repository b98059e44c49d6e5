private import AsyncKnotTestingRuntime

/// A test that hangs as text: what keeps it from ending first, then each of its unfinished tasks.
///
/// ```
/// Test "circle()" has not ended after 30.0 s; 3 of its tasks are unfinished.
///   a circle: saver -> loader -> saver
/// ```
/// The text is ASCII, see ``LaneReport``.
struct HangReport {
  /// How many lines a part has at most.
  private static let limit = 40

  /// What a task waits for.
  private struct Wait {
    var text: String
    /// The tasks that have to go on first.
    var tasks: [UInt] = []
    var place: CodePlace?
  }

  private let scope: HangWatch.Scope
  private let snapshot: HangSnapshot
  private var symbols = Symbols()
  private var names: [UInt: String] = [:]
  /// The names without the numbers of tasks that have the same.
  private var kinds: [UInt: String] = [:]
  private var waits: [UInt: Wait] = [:]
  /// The functions with which tasks that have a name of their own were started.
  private var origins: [UInt: String] = [:]
  /// The tasks in the order in which they were made.
  private let order: [UInt]

  init(of scope: HangWatch.Scope, _ snapshot: HangSnapshot) {
    self.scope = scope
    self.snapshot = snapshot
    order = snapshot.tasks.values.filter { $0.isOfTest || $0.isRunning }
      .sorted { $0.number < $1.number }.map(\.address)
    findNames()
    for address in order {
      guard let task = snapshot.tasks[address] else { continue }
      waits[address] = wait(of: task)
    }
    symbols.findLines(of: waits.values.compactMap(\.place?.address))
  }

  var text: String {
    let own = order.filter { snapshot.tasks[$0]?.isOfTest == true }
    let time = seconds(HangWatch.uptime - scope.start)
    var lines = [
      "explainsHangs: Test \"\(scope.test)\" has not ended after \(time);"
        + " \(own.count) of its tasks are unfinished."
    ]
    lines += causes + ["Its tasks:"] + self.lines(of: own, withOrigins: true)
    return lines.joined(separator: "\n")
  }

  /// A line for each task, and one for all that differ in their number only.
  private func lines(of tasks: [UInt], withOrigins: Bool) -> [String] {
    func line(_ task: UInt, _ name: String?) -> String {
      let origin = withOrigins ? origins[task].map { "; started as \($0)" } ?? "" : ""
      return "  \(name ?? "") \(sentence(task))\(origin)"
    }
    let alike = Dictionary(grouping: tasks) { line($0, kinds[$0]) }
    let firsts = tasks.filter { alike[line($0, kinds[$0])]?.first == $0 }
    let more = firsts.count > Self.limit ? ["  ... and \(firsts.count - Self.limit) more"] : []
    return firsts.prefix(Self.limit).map { task in
      let others = (alike[line(task, kinds[task])]?.count ?? 1) - 1
      return line(task, names[task]) + (others > 0 ? "; so \(others) more" : "")
    } + more
  }

  // MARK: Causes

  /// What keeps the test from ending: circles first, then threads that are blocked, then the tasks at the end
  /// of each chain, those that the test awaits first.
  private var causes: [String] {
    var circles: [String] = []
    var ends: [UInt] = []
    var done: Set<UInt> = []
    var path: [UInt] = []
    func follow(_ task: UInt) {
      if let start = path.firstIndex(of: task) {
        circles.append(
          "  a circle: "
            + (path[start...] + [task]).map { names[$0] ?? "" }.joined(separator: " -> "))
      }
      guard done.insert(task).inserted, let wait = waits[task] else { return }
      if wait.tasks.isEmpty { ends.append(task) }
      path.append(task)
      for next in wait.tasks { follow(next) }
      path.removeLast()
    }
    for task in [snapshot.root] + order where snapshot.tasks[task]?.isOfTest == true {
      follow(task)
    }
    let blocked = ends.filter { snapshot.thread(of: $0) != nil }
    let order = blocked + ends.filter { !blocked.contains($0) }
    return circles.prefix(Self.limit) + lines(of: order, withOrigins: false)
  }

  private func sentence(_ address: UInt) -> String {
    guard let wait = waits[address] else { return "" }
    let cancelled = snapshot.tasks[address]?.isCancelled == true ? "was cancelled, but " : ""
    let place = wait.place.map { ", in \(words($0))" } ?? ""
    return "\(cancelled)\(wait.text)\(place)"
  }

  private func words(_ place: CodePlace) -> String {
    place.function + (symbols.line(of: place.address).map { " (\($0))" } ?? "")
  }

  // MARK: Tasks

  private mutating func findNames() {
    for address in order {
      guard let task = snapshot.tasks[address] else { continue }
      let functions = (snapshot.thread(of: address)?.functions ?? []) + task.functions
      let outermost = symbols.places(in: functions).last?.function
      if task.name != nil, address != snapshot.root { origins[address] = outermost }
      names[address] =
        address == snapshot.root
        ? "the test" : task.name ?? outermost ?? "task \(task.number)"
    }
    kinds = names
    for tasks in Dictionary(grouping: order, by: { names[$0] }).values where tasks.count > 1 {
      for (index, task) in tasks.enumerated() { names[task]? += " (\(index + 1))" }
    }
  }

  private mutating func wait(of task: HangSnapshot.Seen) -> Wait {
    if let thread = snapshot.thread(of: task.address) { return wait(of: thread) }
    let place = symbols.places(in: task.functions).first
    switch task.state {
    case knotTaskAwaitsTask:
      let name = names[task.on] ?? "a task that has ended"
      return Wait(text: "awaits \(name)", tasks: [task.on], place: place)
    case knotTaskAwaitsGroup:
      let children = order.filter { snapshot.tasks[$0]?.group == task.on }
      let list = children.prefix(5).map { names[$0] ?? "" }.joined(separator: ", ")
      let more = children.count > 5 ? " and \(children.count - 5) more" : ""
      return Wait(text: "awaits its child tasks: \(list)\(more)", tasks: children, place: place)
    case knotTaskAwaitsContinuation:
      return Wait(text: continuation(of: task), place: place)
    case knotTaskIsReady:
      return readiness(of: task, place)
    default:
      return Wait(text: task.isRunning ? "runs" : "is suspended", place: place)
    }
  }

  /// A thread that runs a task.
  private mutating func wait(of thread: HangSnapshot.Thread) -> Wait {
    let place = symbols.places(in: thread.functions).first
    guard thread.isBlocked else { return Wait(text: "runs and does not suspend", place: place) }
    // The function of a library that the user's function has called.
    let called = thread.functions.prefix { $0 != place?.address }.last
    let name = called.flatMap { symbols.name(of: $0) }.map { " in \($0)" } ?? ""
    return Wait(text: "blocks its thread\(name)", place: place)
  }

  private mutating func continuation(of task: HangSnapshot.Seen) -> String {
    // Functions of libraries in which it waits, up to the user's.
    let libraries = task.functions.map { symbols.name(of: $0) }.prefix { $0?.isOurs ?? true }
    if let stream = libraries.compactMap({ $0?.description }).first(where: {
      $0.contains("AsyncStream") || $0.contains("AsyncThrowingStream")
    }) {
      let kind = stream.contains("Throwing") ? "AsyncThrowingStream" : "AsyncStream"
      return "awaits the next element of an \(kind), which nobody has sent or finished"
    }
    let left = task.wakes - HangWatch.uptime
    if left > .zero { return "sleeps for another \(seconds(left))" }
    return "awaits a continuation that nobody has resumed"
  }

  /// A task that could go on.
  private func readiness(of task: HangSnapshot.Seen, _ place: CodePlace?) -> Wait {
    guard let actor = task.actor else {
      let blocking = order.filter { snapshot.thread(of: $0)?.isBlocked == true }
      let count = blocking.count
      return Wait(
        text: "is ready, and no thread takes it: \(count) of the pool are blocked",
        tasks: blocking, place: place)
    }
    guard let holder = snapshot.threads.first(where: { $0.executor == task.on }) else {
      return Wait(text: "is ready to go on with \(actor)", place: place)
    }
    let name = names[holder.task] ?? "a thread without a task"
    return Wait(
      text: "waits for \(actor), on which \(name) runs", tasks: [holder.task], place: place)
  }
}

/// A time for people, as in `0.3 s`.
func seconds(_ time: Duration) -> String {
  let tenths = Int(time / .milliseconds(100))
  return "\(tenths / 10).\(tenths % 10) s"
}
