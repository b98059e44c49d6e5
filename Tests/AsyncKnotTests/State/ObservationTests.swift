import AsyncKnot
import AsyncKnotTesting
import Synchronization
import TestSupport
import Testing

/// An object that keeps the entry of its own handler, as screens do.
private typealias Screen = Shared<TaskBag.Entry?>

@Suite struct ObservationTests {
  /// How a handler ends while its screen keeps the handler's entry.
  enum Ending: CaseIterable, Sendable { case cancelled, cancelledWithin, bagCancelled, holderGone }

  @Test(
    "S16: every way to end a handler releases its captures, even if its entry is kept",
    arguments: Ending.allCases)
  @MainActor
  func released(_ ending: Ending) async {
    var view: View? = View()
    let bag = TaskBag()
    var screen: Screen? = Screen(nil)
    weak let released = screen
    let entry = view?.observe(in: bag) { [screen] _, _ in
      if ending == .cancelledWithin { screen?.mutex.withLock { $0.take() }?.cancel() }
    }
    screen?.value = entry
    screen = nil
    #expect(released != nil)
    switch ending {
    case .cancelled: entry?.cancel()
    case .bagCancelled: bag.cancel()
    case .cancelledWithin: view?.sink(.init(count: 1))
    case .holderGone: view = nil
    }
    #expect(bag.count == 0)
    for _ in 0..<1_000 where released != nil { await Task.yield() }
    #expect(released == nil)
    withExtendedLifetime(entry) {}
  }

  @Test(
    "S17: the captures of a main-actor handler are released on the main actor, wherever the handler ends",
    arguments: Ending.allCases)
  func releasedOnTheMainActor(_ ending: Ending) async {
    let log = Log<Bool>()
    for _ in 0..<200 {
      var view: View? = View()
      let bag = TaskBag()
      let entry = await view?.observeWithLabel(in: bag, log)
      switch ending {
      case .cancelled: entry?.cancel()
      case .cancelledWithin: await view?.sink(.init(count: 1))
      case .bagCancelled: bag.cancel()
      case .holderGone: break
      }
      view = nil
    }
    await waitWhile(log.count < 200)
    #expect(!log.all.contains(false))
  }

  @Test(
    "S22, S16: a handler outlives its dropped entry, and leaves its bag when its node is released")
  func dropped() async {
    let (bag, heard) = (TaskBag(), Log<Int>())
    do {
      let node = Node()
      await node.observe(in: bag) { _, state in heard.append(state.count) }
      await node.sink(.init(count: 1))
      #expect(bag.count == 1)
      #expect(bag.isEmpty, "a handler does not count as a task")
      await bag.wait()
      await node.sink(.init(count: 2))
    }
    #expect(heard.all == [1, 2])
    await waitWhile(bag.count > 0)
  }

  @Test(
    "S15, S16: a handler that is added while its bag is cancelled either stays registered or never runs"
  )
  func addedBesideCancel() async {
    await exploreContract(seeds: 1_000) {
      let (node, bag, heard) = (Node(), TaskBag(), Log<Int>())
      let adder = Task(executorPreference: Exploration.executor) {
        _ = await node.observe(in: bag) { _, state in heard.append(state.count) }
      }
      await Task.yield()
      bag.cancel()
      await adder.value
      await node.sink(.init(count: 1))
      try hold(heard.all.count == bag.count, "\(heard.all.count) calls, \(bag.count) members")
      try hold(node.knot.observerCount == bag.count, "a handler without a bag is registered")
    }
  }

  @Test("S15: at least 100,000 calls to a handler do not overflow the stack")
  @MainActor
  func calledOften() {
    let view = View()
    let sum = Atomic(0)
    let bag = TaskBag()
    view.observe(in: bag) { _, state in sum.add(state.count, ordering: .relaxed) }
    let calls = isSanitized ? 100_000 : 400_000
    for _ in 0..<calls { view.sink(.init(count: 1)) }
    #expect(sum.load(ordering: .relaxed) == calls)
    bag.cancel()
  }

  #if os(Linux)
    @Test("S15: states that a view writes in its isolated deinit reach its handlers")
    @MainActor
    func writesInDeinit() {
      let heard = Log<Int>()
      LastWords(heard).bump()
      #expect(heard.all == [1, 2])
    }
  #endif
}

#if os(Linux)
  /// A view that reduces once more in its `deinit`.
  @MainActor private final class LastWords: KnotableView {
    nonisolated let knot = Knot<OuterState>()
    private let handlers = TaskBag()

    init(_ heard: Log<Int>) {
      observe(in: handlers) { _, state in heard.append(state.count) }
    }

    isolated deinit { bump() }

    func update(_ state: OuterState) {}
    func layout() {}
    func bump() { reduce { $0.count += 1 } }
  }
#endif

extension View {
  /// Registers a handler that captures an object of the main actor.
  fileprivate func observeWithLabel(in bag: TaskBag, _ log: Log<Bool>) -> TaskBag.Entry {
    let label = Mortal(log)
    let own = Screen(nil)
    let entry = observe(in: bag) { [own] _, _ in
      withExtendedLifetime(label) {}
      Task.detached { own.mutex.withLock { $0.take() }?.cancel() }
    }
    own.value = entry
    return entry
  }
}
