@testable import AsyncKnot

/// A node whose state holds the task and the bag that observe the node.
private actor Loader: Knotable {
  struct State: KnotState {
    var task: Task<Void, Never>?
    var bag: TaskBag?
    var count = 0
    static func defaultState() -> State { State() }
  }

  let knot = Knot<State>()
  func update(_ state: State) {}
}

/// An object that a handler captures.
private typealias Screen = Shared<AsyncStream<Loader.State>?>

/// Lets other tasks run and records an issue if an observer is still registered.
private func expectUnobserved<Source: StateSource>(
  _ source: Source, sourceLocation: SourceLocation = #_sourceLocation
) async {
  for _ in 0..<1_000 where source.knot.observerCount > 0 { await yieldToOthers() }
  #expect(source.knot.observerCount == 0, sourceLocation: sourceLocation)
}

/// A reducer may end everything that observes its own holder or another one.
@Suite struct EndingInReducerTests {
  @Test(
    "S8, S11: a reducer may cancel tasks that wait for its holder, directly or through their bag")
  func cancellingInAReducer() async {
    await exploreContract(seeds: 1_000) {
      let loader = Loader()
      let ended = Log<String>()
      let (bag, states) = (TaskBag(), loader.states)
      bag.add {
        for await _ in states {}
        ended.append("bag")
      }
      let task = Task(executorPreference: Exploration.executor) {
        for await _ in states {}
        ended.append("task")
      }
      await loader.reduce { $0 = Loader.State(task: task, bag: bag) }
      await untilIdle()
      await loader.reduce { state in
        state.task?.cancel()
        state.bag?.cancel()
        state = Loader.State(count: 1)
      }
      await untilIdle()
      try hold(Set(ended.all) == ["bag", "task"], "ended: \(ended.all)")
      try hold(
        loader.knot.observerCount == 0,
        "\(loader.knot.observerCount) observers are still registered")
    }
  }

  @Test("S11, S15, S16: a reducer may end handlers of its own holder, by entry or by bag")
  func endingObservations() async {
    let (loader, heard) = (Loader(), Log<Int>())
    var screen: Screen? = Screen(nil)
    weak let released = screen
    let kept = TaskBag()
    var bag: TaskBag? = TaskBag()
    let cancelled = await loader.observe(in: kept) { [screen] _, state in
      _ = screen
      heard.append(state.count)
    }
    if let bag {
      await loader.observe(in: bag) { [screen] _, state in
        _ = screen
        heard.append(state.count)
      }
    }
    screen = nil
    await loader.reduce { [bag] in $0 = Loader.State(bag: bag, count: 1) }
    bag = nil
    await loader.reduce { state in
      cancelled.cancel()
      state.bag = nil
      state.count = 2
    }
    #expect(heard.all == [1, 1])
    #expect(released == nil)
    #expect(loader.knot.observerCount == 0)
  }

  enum Ending: CaseIterable { case bag, entry, releasedBag, addedTask, latest }

  @Test(
    "S11, S18: if a reducer cancels a task, the task's cancellation handler runs after the reducer",
    arguments: Ending.allCases)
  func cancellationHandler(_ ending: Ending) async {
    let (loader, counts) = (Loader(), Log<Int?>())
    // Skip the read while a reducer is running, because the read would trap.
    let read: @Sendable () -> Void = { counts.append(Reducer.isRunning ? nil : loader.state.count) }
    let (waiting, continuation) = AsyncStream<Never>.makeStream()
    continuation.onTermination = { _ in read() }
    let begun = AsyncStream<Void>.makeStream()
    let wait: @Sendable () async -> Void = {
      begun.continuation.yield()
      for await _ in waiting {}
    }
    let bag = Shared<TaskBag?>(TaskBag())
    var (entry, latest) = (TaskBag.Entry?.none, Latest<Never>?.none)
    switch ending {
    case .bag, .entry, .releasedBag: entry = bag.value?.add { await wait() }
    case .addedTask: bag.value?.add(Task { await wait() })
    case .latest: latest = Latest(of: waiting)
    }
    if latest == nil { for await _ in begun.stream.prefix(1) {} }
    let held = Shared(latest)
    latest = nil
    await loader.reduce { [entry] state in
      state.count = 1
      switch ending {
      case .entry: entry?.cancel()
      case .releasedBag: bag.value = nil
      case .bag, .addedTask: bag.value?.cancel()
      case .latest: held.value = nil
      }
    }
    #expect(counts.all == [1])
  }

  @Test("S11: a reducer may drop a stream that buffers its own holder's states")
  func droppingAStream() async {
    let (loader, screen) = (Loader(), Screen(nil))
    screen.value = loader.knot.stateStream(buffering: .unbounded)
    #expect(loader.knot.observerCount == 1)
    await loader.reduce { _ in screen.value = nil }
    await expectUnobserved(loader)
  }

  @Test("S11: on real threads, two reducers may end observations of each other's holder")
  func endingEachOthers() async {
    for _ in 0..<1_000 {
      let (first, second) = (Loader(), Loader())
      let bag = TaskBag()
      let ofFirst = await first.observe(in: bag) { _, _ in }
      let ofSecond = await second.observe(in: bag) { _, _ in }
      async let one: Void = first.reduce { _ in ofSecond.cancel() }
      async let two: Void = second.reduce { _ in ofFirst.cancel() }
      _ = await (one, two)
      await expectUnobserved(first)
      await expectUnobserved(second)
    }
  }

  @Test("S16: on real threads, observations that end while reducers run leave nothing behind")
  func endingElsewhere() async {
    let (loader, bag) = (Loader(), TaskBag())
    await withDiscardingTaskGroup { group in
      group.addTask { for count in 0..<5_000 { await loader.reduce { $0.count = count } } }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<2_000 {
            let observation = await loader.observe(in: bag) { _, _ in }
            await Task.detached { observation.cancel() }.value
          }
        }
      }
    }
    await expectUnobserved(loader)
    #expect(bag.count == 0)
  }
}
