import AsyncKnot
import AsyncKnotTesting
import Synchronization
import TestSupport
import Testing

/// A state that calls a closure when it dies.
private final class Farewell: Sendable {
  let call: @Sendable () -> Void
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  deinit { call() }
}

private actor Keeper: StateHolder {
  let knot = Knot<Farewell?>(nil)
}

/// A view that says on which isolation it dies.
@MainActor
private final class Mortal: KnotableView {
  nonisolated let knot = Knot<OuterState>()
  private let diedElsewhere: Log<Bool>
  init(_ log: Log<Bool>) { diedElsewhere = log }
  func update(_ state: OuterState) {}
  deinit { diedElsewhere.append(Mortal.isElsewhere()) }

  /// Whether the code that runs now is not on the main actor.
  nonisolated static func isElsewhere() -> Bool {
    !isOnMainThread()
  }
}

/// The one reference to a view beside what the package holds.
private final class Owner: Sendable {
  let value = Mutex<Mortal?>(nil)
}

@Suite struct PipeInBagTests {
  @Test("S13: a pipe ends when its holder goes, and takes no event after that")
  func endsWithTheHolder() async {
    await exploreContract(seeds: 2_000) {
      let channel = EventChannel<Int>()
      let (shared, bag, other) = (channel.subscribe(), TaskBag(), PlainNode())
      var gone: PlainNode? = PlainNode()
      if let gone { shared.pipe(to: gone, in: bag) { state, _ in _ = state } }
      let sender = Task(executorPreference: Exploration.executor) {
        for _ in 0..<3 { channel.send(1) }
      }
      gone = nil
      await sender.value
      // What the pipe of the gone holder has not reduced is there for this one.
      let reduced = 3 - shared.bufferedCount
      shared.pipe(to: other, in: bag) { $1.count += $0 }
      channel.finish()
      await bag.wait()
      try hold(
        other.state.count + reduced >= 3 && other.state.count <= 3,
        "\(other.state.count) events of 3 arrived, \(reduced) were taken before")
    }
  }

  @Test(
    "S13: of two pipes on one subscription, the living one gets each event once the other's holder is gone"
  )
  func nothingIsLost() async {
    await exploreContract(seeds: 2_000) {
      let channel = EventChannel<Int>()
      let (shared, bag, other) = (channel.subscribe(), TaskBag(), PlainNode())
      var gone: PlainNode? = PlainNode()
      if let gone { shared.pipe(to: gone, in: bag) { $1.count += $0 } }
      gone = nil
      shared.pipe(to: other, in: bag) { $1.count += $0 }
      channel.send(1)
      channel.finish()
      await bag.wait()
      try hold(other.state.count == 1, "the event was lost")
    }
  }

  @Test("S1: a filter directly before a pipe in a bag decides on the state that is reduced")
  func filterDecidesOnTheState() async {
    await exploreContract(seeds: 2_000) {
      let node = PlainNode()
      let bag = TaskBag()
      for _ in 0..<3 {
        Elements(elements: Array(0..<4)).filter(with: node) { _, state in state.count < 5 }
          .pipe(to: node, in: bag) { $1.count += 1 }
      }
      await bag.wait()
      try hold(node.state.count == 5, "the limit of 5 was passed: \(node.state.count)")
    }
  }

  @Test("A filter on another holder's state goes before a pipe in a bag like any sequence")
  func filterOnAnother() async {
    let (node, other, bag) = (PlainNode(), Session(), TaskBag())
    Elements(elements: [1, 2, 3]).filter(with: other) { event, limit in event * 3 < limit }
      .pipe(to: node, in: bag) { $1.count += $0 }
    await bag.wait()
    #expect(node.state.count == 3)
  }

  @Test("S18: the old state dies outside the lock, whichever way it is exchanged")
  func oldStateDiesOutside() async {
    let keeper = Keeper()
    let read = Log<Bool>()
    func state() -> Farewell? {
      Farewell { [weak keeper] in read.append(keeper?.state == nil) }
    }
    let bag = TaskBag()
    await keeper.sink(state())
    await keeper.sink(state())
    await Elements(elements: [state(), state(), nil]).pipe(to: keeper)
    await keeper.sink(state())
    Elements(elements: [state(), nil]).pipe(to: keeper, in: bag)
    await bag.wait()
    #expect(read.all.count == 6)
  }

  @Test("S14: each pipe in a bag that can fail says why")
  func errors() async {
    let (node, bag, errors) = (Session(), TaskBag(), Log<Broken>())
    Breaking(elements: [1]).pipe(to: node, in: bag) { errors.append($0) }
    Breaking(elements: [1]).filter(with: node) { _, _ in true }
      .pipe(to: node, in: bag) { event, state in
        state = event
      } onError: {
        errors.append($0)
      }
    await bag.wait()
    #expect(errors.all == [Broken(code: 42), Broken(code: 42)])
    #expect(node.state == 1)
  }

  @Test("S17: a view whose pipe holds it last dies on the main actor")
  func viewsDieAtHome() async {
    let log = Log<Bool>()
    let channel = EventChannel<Int>()
    let bag = TaskBag()
    for round in 0..<500 {
      await MainActor.run {
        let view = Mortal(log)
        channel.subscribe().pipe(to: view, in: bag) { $1.count = $0 }
        channel.send(round)
        for _ in 0..<50 { _ = view.state }
      }
    }
    channel.finish()
    await bag.wait()
    #expect(log.all.count == 500)
    #expect(!log.all.contains(true))
  }

  @Test("S17: a view that loses all other references while its pipe reduces dies on the main actor")
  func viewsDieAtHomeAfterTheReduction() async {
    let log = Log<Bool>()
    let channel = EventChannel<Int>()
    let bag = TaskBag()
    for _ in 0..<100 {
      let only = Owner()
      await MainActor.run {
        let view = Mortal(log)
        only.value.withLock { $0 = view }
        channel.subscribe().pipe(to: view, in: bag) { _, _ in only.value.withLock { $0 = nil } }
      }
    }
    channel.send(1)
    channel.finish()
    await bag.wait()
    #expect(log.all.count == 100)
    #expect(!log.all.contains(true))
  }
}
