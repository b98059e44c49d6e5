import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct ReentryTests {
  @Test("S11: reading the holder's state inside a reducer traps and names the rule")
  func readingInAReducerTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let node = PlainNode()
      await node.reduce { $0.count = node.state.count + 1 }
    }
    #expect(
      result.says("A reducer of 'OuterState' reads or writes a holder of 'OuterState'"))
  }

  @Test("S11: reading it in the reducer of a pipe traps as well")
  func readingInAPipeTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let node = PlainNode()
      await Elements(elements: [1]).pipe(to: node) { $1.count = node.state.count + $0 }
    }
    #expect(
      result.says("A reducer of 'OuterState' reads or writes a holder of 'OuterState'"))
  }

  @Test("S11: reducing inside a reducer traps and names the rule")
  func reducingInAReducerTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let view = View()
        view.reduce { _ in MainActor.assumeIsolated { view.sink(.init(count: 1)) } }
      }
    }
    #expect(result.says("A reducer of 'State' reads or writes a holder of 'State'"))
  }

  @Test("S11: a reducer that reads another holder's state traps, and both states are named")
  func readingAnotherHolder() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let node = PlainNode()
      let other = Session()
      await node.reduce { $0.count = other.state }
    }
    #expect(result.says("A reducer of 'OuterState' reads or writes a holder of 'Int'"))
  }

  @Test("S11: a reducer that writes another holder traps")
  func writingAnotherHolder() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let (view, other) = (View(), View())
        view.reduce { _ in MainActor.assumeIsolated { other.reduce { $0.count = 1 } } }
      }
    }
    #expect(result.says("A reducer of 'State' reads or writes a holder of 'State'"))
  }

  @Test("S11: a reducer that observes a holder traps")
  func observingInAReducer() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (node, session) = (PlainNode(), Session())
      await node.reduce { _ in _ = session.states(buffering: .unbounded).makeAsyncIterator() }
    }
    #expect(result.says("A reducer of 'OuterState' reads or writes a holder of 'Int'"))
  }

  @Test("S11: a holder that a reducer lets go of is released without a trap")
  func releasedInAReducer() async {
    let bag = TaskBag()
    let parent = Parent()
    let recorded = EventChannel<Int>()
    var ends = recorded.subscribe().makeAsyncIterator()
    bag.add { [states = parent.state.child?.states] in
      if let states { for await _ in states {} }
      recorded.send(1)
    }
    await parent.reduce { $0.child = nil }
    #expect(await ends.next() == 1)
  }

  @Test("S11: readers on other threads wait for a reducer, and never trap")
  func readersElsewhereWait() async {
    let node = PlainNode()
    await withDiscardingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<2_000 { #expect(node.state.count >= 0) } }
      }
      group.addTask { for _ in 0..<2_000 { await node.reduce { $0.count += 1 } } }
    }
    #expect(node.state.count == 2_000)
  }

  @Test(
    "S11: a sink inside update is legal, and observers see the outer state before the inner one")
  func nestedSink() async {
    let node = Node()
    var buffered = node.states(buffering: .unbounded).makeAsyncIterator()
    let handled = EventChannel<Int>()
    let subscription = handled.subscribe()
    let observation = await node.observe { _, state in handled.send(state.count) }
    await node.sinkInUpdate(.init(count: 2))
    await node.sink(.init(count: 1))
    #expect(node.state.count == 2)
    #expect(await node.updates.map(\.count) == [1, 2])
    for expected in 0...2 { #expect(await buffered.next()?.count == expected) }
    handled.finish()
    #expect(await subscription.collect() == [1, 2])
    observation.cancel()
  }
}

/// A holder whose state has another holder in it.
private actor Parent: StateActor {
  struct State: Sendable { var child: Session? }
  let knot = Knot(State(child: Session()))
}
