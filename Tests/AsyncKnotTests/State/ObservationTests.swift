import AsyncKnot
import Synchronization
import TestSupport
import Testing

/// An object that keeps its own observation, as screens do.
private typealias Screen = Shared<StateObservation?>

@Suite struct ObservationTests {
  /// How an observation ends that its screen keeps.
  enum Ending: CaseIterable, Sendable { case cancelled, cancelledWithin, holderGone }

  @Test(
    "S16: however an observation ends, what its handler captures is released, though it is kept",
    arguments: Ending.allCases)
  @MainActor
  func released(_ ending: Ending) {
    var view: View? = View()
    var screen: Screen? = Screen(nil)
    weak let released = screen
    let observation = view?.observe { [screen] _, _ in
      if ending == .cancelledWithin { screen?.mutex.withLock { $0.take() }?.cancel() }
    }
    screen?.value = observation
    screen = nil
    #expect(released != nil)
    switch ending {
    case .cancelled: observation?.cancel()
    case .cancelledWithin: view?.sink(.init(count: 1))
    case .holderGone: view = nil
    }
    #expect(released == nil)
    withExtendedLifetime(observation) {}
  }

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
