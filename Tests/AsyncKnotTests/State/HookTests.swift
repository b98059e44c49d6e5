@Suite struct HookTests {
  @Test("S12, K4: sink stores the state, calls update, and then causes a layout")
  func sinkCallsTheHooks() async {
    let node = Node()
    var layouts = node.laidOut.subscribe().makeAsyncIterator()
    await node.sink(.init(title: "a"))
    #expect(node.state.title == "a")
    #expect(await node.updates.map(\.title) == ["a"])
    _ = await layouts.next()
    #expect(await node.layouts.map(\.title) == ["a"])
  }

  @Test("S12: update runs for every accepted state in order, and the newest state is laid out")
  func newestIsLaidOut() async {
    let node = Node()
    var layouts = node.laidOut.subscribe().makeAsyncIterator()
    await node.count(Array(1...1_000))
    #expect(await layouts.next() == 1_000)
    await Elements(elements: Array(1_001...2_000)).pipe(to: node) { $1.count = $0 }
    while let count = await layouts.next(), count < 2_000 {}
    #expect(await node.updates.map(\.count) == Array(1...2_000))
    #expect(await node.layouts.last?.count == 2_000)
  }

  @Test(
    "S12, K2: render draws the current state, even the default one, and lays it out")
  func render() async {
    let node = Node()
    await node.render()
    #expect(await node.updates == [Node.State()])
    #expect(await node.layouts == [Node.State()])
  }

  @Test("S12: a turn delivers each state that update wrote, in order, including the last")
  func manyInUpdate() async {
    let node = Rewriting { node in for count in 2...4 { node.sink(.init(count: count)) } }
    await node.sink(.init(count: 1))
    #expect(await node.updates == [1, 2, 3, 4])
  }

  @Test("S12: if update calls render(), it takes effect after the pending states have been drawn")
  func renderInUpdate() async {
    let node = Rewriting { node in
      node.reduce { $0.count = 2 }
      node.reduce { $0.count = 3 }
      node.render()
    }
    await node.sink(.init(count: 1))
    #expect(await node.updates == [1, 2, 3, 3])
  }

  @Test(
    "S12: render in a view's update never draws an older state or lays out a state not yet drawn")
  @MainActor
  func renderInUpdateOfAView() async {
    let view = RewritingView()
    view.render()
    #expect(view.updates == [0, 1, 2, 2])
    #expect(view.layouts == [2])
  }

  @Test("S12, K5: a main-actor view is updated and laid out by the same rules as an actor node")
  @MainActor
  func viewHooks() async {
    let view = View()
    var layouts = view.laidOut.subscribe().makeAsyncIterator()
    view.render()
    #expect(await layouts.next() == 0)
    view.sink(.init(count: 1))
    view.reduce { $0.count += 1 }
    #expect(view.updates == [0, 1, 2])
    #expect(await layouts.next() == 2)
    await Elements(elements: [5, 6]).pipe(to: view) { $1.count = $0 }
    #expect(view.updates == [0, 1, 2, 5, 6])
    #expect(await layouts.next() == 6)
    #expect(view.layouts == [0, 2, 6])
  }

  @Test("S15: a handler runs within the turn of the reduction, after update, in order")
  func handlersRunWithinTheTurn() async {
    let node = Node()
    let bag = TaskBag()
    await node.observe(in: bag) { node, state in
      #expect(node.updates.last == state)
      node.layouts.append(state)
    }
    let seen = await node.reduce(counting: 3)
    #expect(seen.map(\.count) == [1, 2, 3])
    bag.cancel()
  }

  @Test("S15: a handler ends when its entry is cancelled or its bag is dropped")
  func observationsEnd() async {
    let node = Node()
    let told = EventChannel<Int>()
    let subscription = told.subscribe()
    let bag = TaskBag()
    let first = await node.observe(in: bag) { _, state in told.send(state.count) }
    do {
      let dropped = TaskBag()
      await node.observe(in: dropped) { _, state in told.send(-state.count) }
      await node.sink(.init(count: 1))
      withExtendedLifetime(dropped) {}
    }
    await node.sink(.init(count: 2))
    first.cancel()
    first.cancel()
    await node.sink(.init(count: 3))
    told.finish()
    #expect(await subscription.collect() == [1, -1, 2])
    #expect(node.knot.observerCount == 0)
  }

  @Test("S15: a handler that another handler has just ended does not run again")
  @MainActor
  func endedWithinTheTurn() {
    let (view, bag, laterBag) = (View(), TaskBag(), TaskBag())
    var told: [String] = []
    view.observe(in: bag) { _, _ in
      told.append("first")
      laterBag.cancel()
    }
    view.observe(in: laterBag) { _, _ in told.append("second") }
    view.sink(.init(count: 1))
    #expect(told == ["first"])
  }

  @Test(
    "S15: all handlers receive a state before they receive the state that a handler writes in response"
  )
  @MainActor
  func handlersMayWrite() {
    let (view, bag) = (View(), TaskBag())
    var told: [Int] = []
    view.observe(in: bag) { view, state in
      if state.count == 1 { view.sink(.init(count: 2)) }
    }
    view.observe(in: bag) { _, state in told.append(state.count) }
    view.sink(.init(count: 1))
    #expect(told == [1, 2])
    #expect(view.updates == [1, 2])
  }
}

/// A node whose `update` writes when the count is 1.
private actor Rewriting: Knotable {
  typealias State = OuterState
  let knot = Knot<OuterState>()
  let write: @Sendable (isolated Rewriting) -> Void
  var updates: [Int] = []

  init(_ write: @escaping @Sendable (isolated Rewriting) -> Void) { self.write = write }

  func update(_ state: OuterState) {
    updates.append(state.count)
    if state.count == 1 { write(self) }
  }
}

/// A view whose first `update` writes two states and calls `render()`.
@MainActor private final class RewritingView: KnotableView {
  nonisolated let knot = Knot<OuterState>()
  var updates: [Int] = []
  var layouts: [Int] = []

  func update(_ state: OuterState) {
    updates.append(state.count)
    if updates == [0] {
      sink(.init(count: 1))
      sink(.init(count: 2))
      render()
    }
  }
  func layout() { layouts.append(updates.last ?? -1) }
}

extension Node {
  /// Increments the count several times in one job, and returns the states that have been laid out by then.
  fileprivate func reduce(counting times: Int) -> [State] {
    for _ in 0..<times { reduce { $0.count += 1 } }
    return layouts
  }
}
