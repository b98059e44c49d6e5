@Suite struct ReentryTests {
  /// Uses of a holder that trap in a reducer.
  enum Misuse: String, CaseIterable, Codable {
    case readsItself, readsItselfInAPipe, observesAnother, readsAnother, writesItself, writesAnother

    /// The part of the trap's message that names both states.
    var message: String {
      switch self {
      case .readsItself, .readsItselfInAPipe:
        "A reducer of 'OuterState' reads or writes a holder of 'OuterState'"
      case .observesAnother, .readsAnother:
        "A reducer of 'OuterState' reads or writes a holder of 'Int'"
      case .writesItself, .writesAnother:
        "A reducer of 'View.State' reads or writes a holder of 'View.State'"
      }
    }

    @MainActor func commit() async {
      let (node, session, view, other) = (PlainNode(), Session(), View(), View())
      switch self {
      case .readsItself: await node.reduce { $0.count = node.state.count + 1 }
      case .readsItselfInAPipe:
        await Elements(elements: [1]).pipe(to: node) { $1.count = node.state.count + $0 }
      case .observesAnother:
        await node.reduce { _ in _ = session.states(buffering: .unbounded).makeAsyncIterator() }
      case .readsAnother: await node.reduce { $0.count = session.state }
      case .writesItself:
        view.reduce { _ in MainActor.assumeIsolated { view.sink(.init(count: 1)) } }
      case .writesAnother:
        view.reduce { _ in MainActor.assumeIsolated { other.reduce { $0.count = 1 } } }
      }
    }
  }

  @Test(
    "S11: using any holder in a reducer traps with a message that names both states",
    arguments: Misuse.allCases)
  func misuse(_ misuse: Misuse) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse] in
      await misuse.commit()
    }
    #expect(result.says(misuse.message))
  }

  @Test("S11: releasing a holder in a reducer does not trap")
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
    "S11: sink may be called in update, and observers see the outer state first")
  func nestedSink() async {
    let node = Node()
    var buffered = node.states(buffering: .unbounded).makeAsyncIterator()
    let handled = EventChannel<Int>()
    let subscription = handled.subscribe()
    let bag = TaskBag()
    await node.observe(in: bag) { _, state in handled.send(state.count) }
    await node.sinkInUpdate(.init(count: 2))
    await node.sink(.init(count: 1))
    #expect(node.state.count == 2)
    #expect(await node.updates.map(\.count) == [1, 2])
    for expected in 0...2 { #expect(await buffered.next()?.count == expected) }
    handled.finish()
    #expect(await subscription.collect() == [1, 2])
    bag.cancel()
  }
}

/// A holder whose state contains another holder.
private actor Parent: StateActor {
  struct State: Sendable { var child: Session? }
  let knot = Knot(State(child: Session()))
}
