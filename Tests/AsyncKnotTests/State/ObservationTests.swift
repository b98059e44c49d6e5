import AsyncKnot
import Synchronization
import TestSupport
import Testing

/// An object that keeps its own observation, as screens do.
private final class Screen: Sendable {
  let observation = Mutex<StateObservation?>(nil)
}

@Suite struct ObservationTests {
  @Test("S15: a handler that is called for the 400,000th time needs no more stack than at first")
  @MainActor
  func calledOften() {
    let view = View()
    let sum = Atomic(0)
    let observation = view.observe { _, state in sum.add(state.count, ordering: .relaxed) }
    for _ in 0..<400_000 { view.sink(.init(count: 1)) }
    #expect(sum.load(ordering: .relaxed) == 400_000)
    observation.cancel()
  }

  @Test("S16: cancel releases what a handler captures, though the observation is kept")
  func cancelReleases() async {
    let node = Node()
    var screen: Screen? = Screen()
    weak let released = screen
    let observation = await node.observe { [screen] _, _ in _ = screen }
    screen?.observation.withLock { $0 = observation }
    screen = nil
    #expect(released != nil)
    observation.cancel()
    #expect(released == nil)
  }

  @Test("S16: a handler is released with its holder, though its observation is kept")
  func holderReleases() async {
    var node: Node? = Node()
    var screen: Screen? = Screen()
    weak let released = screen
    let observation = await node?.observe { [screen] _, _ in _ = screen }
    screen = nil
    node = nil
    #expect(released == nil)
    observation?.cancel()
  }

  @Test("S16: a handler that cancels itself is released once it has returned")
  @MainActor
  func cancelledWithin() {
    let view = View()
    var screen: Screen? = Screen()
    weak let released = screen
    let observation = view.observe { [screen] _, _ in
      screen?.observation.withLock { $0.take() }?.cancel()
    }
    screen?.observation.withLock { $0 = observation }
    screen = nil
    view.sink(.init(count: 1))
    #expect(released == nil)
  }

  #if os(Linux)
    @Test("S15: what a view reduces in its isolated deinit reaches its handlers")
    @MainActor
    func lastWords() {
      let heard = Log<Int>()
      LastWords(heard).bump()
      #expect(heard.all == [1, 2])
    }
  #endif
}

#if os(Linux)
  /// A view that reduces once more when it goes.
  @MainActor private final class LastWords: KnotableView {
    nonisolated let knot = Knot<OuterState>()
    private var token: StateObservation?

    init(_ heard: Log<Int>) {
      token = observe { _, state in heard.append(state.count) }
    }

    isolated deinit { bump() }

    func update(_ state: OuterState) {}
    func layout() {}
    func bump() { reduce { $0.count += 1 } }
  }
#endif
