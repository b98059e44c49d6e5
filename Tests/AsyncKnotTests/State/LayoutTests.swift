@testable import AsyncKnot
import AsyncKnotTesting
import Dispatch
import TestSupport
import Testing

/// A node on an executor that a test drives.
private actor Screen: Knotable {
  typealias State = OuterState
  let knot = Knot<OuterState>()
  nonisolated let executor = ManualExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  let laidOut = EventChannel<(TaskPriority, String)>()

  func update(_ state: OuterState) {}
  func layout() { laidOut.send((Task.currentPriority, Sender.name)) }
}

/// A view that sends an event for each layout.
@MainActor private final class Panel: KnotableView {
  nonisolated let knot = Knot<OuterState>()
  nonisolated let laidOut = EventChannel<(Int, String)>()

  func update(_ state: OuterState) {}
  func layout() { laidOut.send((state.count, Sender.name)) }
}

private enum Sender {
  @TaskLocal static var name = "nobody"
}

@Suite(.timeLimit(.minutes(30))) struct LayoutTests {
  private let node = Screen()
  private var executor: ManualExecutor { node.executor }

  /// Makes the node reduce at the given priority and runs only that job.
  private func write(at priority: TaskPriority, as name: String) async {
    let before = executor.priorities.count
    let task = Sender.$name.withValue(name) { [node] in
      Task.detached(priority: priority) {
        await Sender.$name.withValue(name) { await node.reduce { $0.count += 1 } }
      }
    }
    await waitWhile(executor.priorities.count == before)
    #expect(executor.runOne())
    // A separate task enqueues the layout that the write has caused.
    await task.value
  }

  @Test("F2, S12: an urgent writer's layout overtakes a layout that a background writer queued")
  func urgentLayout() async {
    var laidOut = node.laidOut.subscribe().makeAsyncIterator()
    await write(at: .background, as: "alice")
    await waitWhile(executor.priorities.count < 1)
    await write(at: .high, as: "bob")
    await waitWhile(executor.priorities.count < 2)
    #expect(executor.priorities.sorted() == [TaskPriority.background, .high].map(\.rawValue))
    #expect(executor.runOne())
    #expect(await laidOut.next()?.0 == .high)
    // The layout with background priority finds nothing left to lay out.
    #expect(executor.runOne())
    node.laidOut.finish()
    #expect(await laidOut.next() == nil)
  }

  @Test("S12: a layout waits for the rest of a frame of 16 ms, which the last layout began")
  func frame() {
    var turn = Turn<Int>()
    #expect(turn.requestLayout(at: .medium) && turn.timeToLayout() == .zero)
    turn.beginLayout()
    #expect(turn.timeToLayout() == nil && turn.requestLayout(at: .medium))
    let rest = turn.timeToLayout() ?? .seconds(1)
    #expect(rest <= .milliseconds(16))
  }

  @Test("S12: render() replaces a queued layout")
  func renderReplaces() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let panel = Panel()
      let laidOut = Recorder(panel.laidOut.subscribe())
      await MainActor.run {
        panel.reduce { $0.count = 1 }
        panel.render()
      }
      await untilIdle()
      try hold(laidOut.elements.map(\.0) == [1], "\(laidOut.elements)")
    }
  }

  @Test("F3: layout does not see any writer's task-local values")
  func layoutWithoutTaskLocals() async {
    var laidOut = node.laidOut.subscribe().makeAsyncIterator()
    await write(at: .medium, as: "alice")
    await waitWhile(executor.priorities.isEmpty)
    #expect(executor.runOne())
    #expect(await laidOut.next()?.1 == "nobody")
  }

  @Test("F3: a view's layout does not see any writer's task-local values")
  func viewLayoutWithoutTaskLocals() async {
    let panel = Panel()
    var laidOut = panel.laidOut.subscribe().makeAsyncIterator()
    await MainActor.run { Sender.$name.withValue("alice") { panel.reduce { $0.count = 1 } } }
    #expect(await laidOut.next()?.1 == "nobody")
  }

  @Test("S12: a view whose state is written outside a task is laid out")
  func outsideOfTasks() async {
    let panel = Panel()
    var laidOut = panel.laidOut.subscribe().makeAsyncIterator()
    DispatchQueue.main.async {
      MainActor.assumeIsolated { panel.reduce { $0.count = 7 } }
    }
    #expect(await laidOut.next()?.0 == 7)
  }

  @Test("F2, S12: an urgent writer's layout does not wait for the burst of a less urgent loop")
  func urgentBesideLoop() async {
    var laidOut = node.laidOut.subscribe().makeAsyncIterator()
    let counts = Ready()
    let loop = Task.detached(priority: .background) { [node] in
      await counts.pipe(to: node) { $1.count = $0 }
    }
    await waitWhile(executor.priorities.isEmpty)
    // The loop begins, queues a layout, and yields in the middle of its burst.
    #expect(executor.runOne())
    await waitWhile(executor.priorities.count < 2)
    await write(at: .high, as: "bob")
    await waitWhile(executor.priorities.count < 3)
    // Run only the most urgent job. The loop's next job waits, as on a busy executor.
    #expect(executor.runOne())
    node.laidOut.finish()
    #expect(await laidOut.next()?.0 == .high)
    counts.end()
    while executor.runOne() {}
    await loop.value
  }

  @Test(
    "F1, S12: a loop's node is laid out at most once for each yield, and after the last element")
  func burst() async {
    await exploreContract(seeds: 1_000) {
      let layouts = await layouts(ofBurst: 200)
      try hold(layouts.last == 200 && layouts.count <= 200 / 16 + 2, "laid out at \(layouts)")
    }
  }

  @Test("S12: a node is laid out at most once in a frame of 16 ms, with the newest state")
  func onceAFrame() async {
    let node = Node()
    var laidOut = node.laidOut.subscribe().makeAsyncIterator()
    let begin = ContinuousClock.now
    var layouts = 0
    for count in 1...10 {
      await node.sink(.init(count: count))
      while await laidOut.next() != count { layouts += 1 }
      layouts += 1
    }
    #expect(layouts >= 10)
    #expect(ContinuousClock.now - begin >= .milliseconds(16) * (layouts - 1))
  }

  /// A node whose layout writes states.
  private actor Settling: Knotable {
    let knot = Knot<OuterState>()
    var layouts: [Int] = []

    func update(_ state: OuterState) {}
    func layout() {
      layouts.append(state.count)
      if state.count < 3 { reduce { $0.count += 1 } }
    }
  }

  @Test("S12: even a state that layout itself writes is laid out")
  func writtenByLayout() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let node = Settling()
      await node.reduce { $0.count = 1 }
      await untilIdle()
      let layouts = await node.layouts
      try hold(layouts == [1, 2, 3], "laid out at \(layouts)")
    }
  }

  /// Returns the counts at which a node is laid out during a burst of `count` elements.
  private func layouts(ofBurst count: Int) async -> [Int] {
    let node = Node()
    await Elements(elements: Array(1...count)).pipe(to: node) { $1.count = $0 }
    await untilIdle()
    return await node.layouts.map(\.count)
  }
}
