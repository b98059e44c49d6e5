import AsyncKnot
import AsyncOptical
import Measure
import Synchronization

/// Measures how long urgent commands and layouts wait under a load of medium priority (F2).
///
/// In one measurement, a background task sends the first command or causes the first layout. In the other, an urgent task does.
enum Priorities {
  static func measure() async {
    let report = Report([
      "urgent work under a load of medium priority",
      "first sent by a background task: done, median ms",
      "first sent by an urgent task: done, median ms",
    ])
    report.row(
      "201 commands in about 2 s", text(await commands(first: .background)),
      text(await commands(first: .high)))
    report.row(
      "layouts for 50 reductions in about 0.5 s", text(await layouts(first: .background)),
      text(await layouts(first: .high)))
  }

  private static func text(_ delays: [Duration]) -> String {
    let sorted = delays.sorted()
    guard !sorted.isEmpty else { return "0" }
    return "\(sorted.count), \(figure(sorted[sorted.count / 2].milliseconds))"
  }

  private static func commands(first: TaskPriority) async -> [Duration] {
    let target = Target()
    return await beside({ await target.work() }) {
      await Task.detached(priority: first) { target.send(.now) }.value
      return await Task.detached(priority: .high) {
        for _ in 0..<200 {
          target.send(.now)
          try? await Task.sleep(for: .milliseconds(10))
        }
        return await target.delays
      }.value
    }
  }

  private static func layouts(first: TaskPriority) async -> [Duration] {
    let node = LayoutNode()
    // The first reduction keeps the actor busy until the load has started, so its layout runs under the load.
    let begun = Task.detached(priority: first) { await node.begin() }
    try? await Task.sleep(for: .milliseconds(30))
    let delays = await beside({ await node.work() }) {
      await Task.detached(priority: .high) {
        for _ in 0..<50 {
          await node.reduce { $0.value += 1 }
          try? await Task.sleep(for: .milliseconds(10))
        }
        return await node.delays
      }.value
    }
    await begun.value
    return delays
  }

  /// Runs `body` while three tasks of medium priority call `load` repeatedly.
  private static func beside(
    _ load: @escaping @Sendable () async -> Void, _ body: () async -> [Duration]
  ) async -> [Duration] {
    await withTaskGroup(of: Void.self) { group in
      let isOver = SharedFlag()
      for _ in 0..<3 {
        group.addTask(priority: .medium) {
          while !isOver.value.load(ordering: .relaxed) { await load() }
        }
      }
      try? await Task.sleep(for: .milliseconds(50))
      let delays = await body()
      isOver.value.store(true, ordering: .relaxed)
      return delays
    }
  }

  private final class SharedFlag: Sendable {
    let value = Atomic(false)
  }
}

private actor Target: ViewBindable {
  let knot = Knot(Count())
  private(set) var delays: [Duration] = []

  func binding(command: ContinuousClock.Instant) async { delays.append(command.duration(to: .now)) }
  func reduce(_ action: Int, into state: inout Count) { state.value += action }
  func work() { draw(for: .microseconds(200)) }
}

private actor LayoutNode: Knotable {
  let knot = Knot<Count>()
  private(set) var delays: [Duration] = []
  private var requested: ContinuousClock.Instant?

  func begin() {
    reduce { $0.value += 1 }
    draw(for: .milliseconds(100))
  }
  func update(_ state: Count) { if requested == nil { requested = .now } }
  func layout() {
    if let requested { delays.append(requested.duration(to: .now)) }
    requested = nil
  }
  func work() { draw(for: .microseconds(200)) }
}
