import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// A predicate that nothing passes.
private let nothing: @Sendable (Int, OuterState) -> Bool = { _, _ in false }

/// F1 is counted while explored: whatever is always ready, another task gets the holder before the end.
@Suite struct FairnessTests {
  /// Lets a task ask a holder what it has seen, while a loop that is always ready runs there.
  private func meetsTheLoop(
    _ loop: @escaping @Sendable (PlainNode) async -> Void
  ) async {
    await exploreContract(seeds: 200) {
      let node = PlainNode()
      let counts = Log<Int>()
      await withDiscardingTaskGroup { group in
        group.addTask { await loop(node) }
        group.addTask {
          while node.state.count == 0 { await Task.yield() }
          counts.append(await node.countNow())
        }
      }
      try hold(
        counts.all.allSatisfy { $0 < 1_000 }, "the loop let nobody in before its end")
    }
  }

  @Test("F1: a pipe over events that are always ready lets others use the holder")
  func pipe() async {
    await meetsTheLoop { node in
      await Elements(elements: Array(1...1_000)).pipe(to: node) { $1.count = $0 }
    }
  }

  @Test("F1: so does one over the backlog of a channel")
  func backlog() async {
    await meetsTheLoop { node in
      let channel = EventChannel<Int>()
      let backlog = channel.subscribe()
      for event in 1...1_000 { channel.send(event) }
      channel.finish()
      await backlog.pipe(to: node) { $1.count = $0 }
    }
  }

  @Test("F1: a loop over states that are always new gives way to others on its isolation")
  func observer() async {
    await exploreContract(seeds: 200) {
      let node = PlainNode()
      let reader = Reader()
      await withDiscardingTaskGroup { group in
        group.addTask { await reader.read(node.states(buffering: .unbounded), upTo: 1_000) }
        group.addTask {
          for count in 1...1_000 { await node.reduce { $0.count = count } }
        }
        group.addTask {
          while await reader.count == 0 { await Task.yield() }
          await reader.interrupt()
        }
      }
      try hold(await reader.interruptedAt ?? 1_000 < 1_000, "nobody else got in")
    }
  }

  @Test("F1: a filter that drops everything gives way, too")
  func filter() async {
    await exploreContract(seeds: 200) {
      let reader = Reader()
      let node = PlainNode()
      await withDiscardingTaskGroup { group in
        group.addTask {
          await reader.drain(
            Elements(elements: Array(1...1_000)).filter(with: node, nothing))
        }
        group.addTask { await reader.interrupt() }
      }
      try hold(await reader.interruptedAt != nil, "nobody else got in")
    }
  }

  @Test("S4, S9: within a slice a loop does not suspend")
  func withinASlice() async {
    let executor = CountingExecutor()
    let counted = Counted(on: executor)
    let channel = EventChannel<Int>()
    let events = channel.subscribe()
    for event in 0..<3 { channel.send(event) }
    #expect(await counted.jobsWhileTaking(3, of: events) == 0)
  }
}

extension PlainNode {
  fileprivate func countNow() -> Int { state.count }
}

private actor Reader {
  var count = 0
  var isEnded = false
  var interruptedAt: Int?

  func read(_ states: StateSequence<OuterState>, upTo last: Int) async {
    for await state in states {
      count = state.count
      if count == last { return }
    }
  }

  func drain(_ events: some AsyncSequence<Int, Never> & Sendable) async {
    for await _ in events {}
    isEnded = true
  }

  func interrupt() {
    if !isEnded, interruptedAt == nil { interruptedAt = count }
  }
}

private actor Counted {
  nonisolated let executor: CountingExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: CountingExecutor) { self.executor = executor }

  func jobsWhileTaking(_ count: Int, of events: EventSequence<Int>) async -> Int {
    var iterator = events.makeAsyncIterator()
    let before = executor.jobs
    for _ in 0..<count { _ = await iterator.next(isolation: self) }
    return executor.jobs - before
  }
}
