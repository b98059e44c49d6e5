import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

private actor Keeper: StateActor {
  let knot = Knot<Farewell?>(nil)
}

/// A holder that is reused: it cancels the bag and resets its state in one turn.
private actor Reused: StateActor {
  let knot = Knot<[Int]>([])

  func reuse(_ bag: TaskBag) {
    bag.cancel()
    sink([])
  }

  /// Resets the holder if an event has arrived, and returns whether it did.
  func reuseIfWritten(_ bag: TaskBag) -> Bool {
    guard !state.isEmpty else { return false }
    reuse(bag)
    return true
  }
}

/// A view that logs whether it is deallocated on the main actor.
@MainActor
private final class MortalView: KnotableView {
  nonisolated let knot = Knot<OuterState>()
  private let diedAtHome: Log<Bool>
  init(_ log: Log<Bool>) { diedAtHome = log }
  func update(_ state: OuterState) {}
  deinit { diedAtHome.append(isOnMainThread()) }
}

@Suite struct PipeInBagTests {
  @Test(
    "S13: a pipe ends with its holder, and another pipe of the subscription gets later events"
  )
  func endsWithTheHolder() async {
    await exploreContract(seeds: 2_000, allowing: .noChoiceIfOptimized) {
      let channel = EventChannel<Int>()
      let (shared, bag, other) = (channel.subscribe(), TaskBag(), PlainNode())
      var gone: PlainNode? = PlainNode()
      if let gone { shared.pipe(to: gone, in: bag) { state, _ in _ = state } }
      gone = nil
      await bag.wait()
      for _ in 0..<3 { channel.send(1) }
      shared.pipe(to: other, in: bag) { $1.count += $0 }
      channel.finish()
      await bag.wait()
      try hold(other.state.count == 3, "\(other.state.count) of 3 events arrived")
    }
  }

  @Test(
    "S21: after code on a holder has cancelled a bag, none of the bag's pipes writes to the holder")
  func nothingAfterCancel() async {
    await exploreContract(seeds: 2_000) {
      let (holder, bag, channel) = (Reused(), TaskBag(), EventChannel<Int>())
      channel.subscribe().pipe(to: holder, in: bag) { $1.append($0) }
      channel.subscribe().map { [$0] }.pipe(to: holder, in: bag)
      let sender = Task(executorPreference: Exploration.executor) {
        for event in 1...3 {
          channel.send(event)
          await Task.yield()
        }
      }
      await holder.reuse(bag)
      await sender.value
      await bag.wait()
      try hold(holder.state.isEmpty, "reduced after the cancellation: \(holder.state)")
    }
  }

  @Test(
    "S21: code on the holder that cancels a bag also stops a pipe that is just being started")
  func nothingAfterAnEarlyCancel() async {
    await exploreContract(seeds: 2_000, allowing: .noChoiceIfOptimized) {
      let (holder, bag, events) = (Reused(), TaskBag(), EventChannel<Int>())
      let subscription = events.subscribe()
      for event in 1...3 { events.send(event) }
      events.finish()
      async let wasReused = {
        for _ in 0..<3 where await holder.reuseIfWritten(bag) { return true }
        return false
      }()
      subscription.pipe(to: holder, in: bag) { $1.append($0) }
      let state = await wasReused ? [] : [1, 2, 3]
      await bag.wait()
      await untilIdle()
      try hold(holder.state == state, "\(holder.state), expected \(state)")
    }
  }

  @Test("S21: after a bag is cancelled on the main actor, a view's pipe reduces nothing")
  @MainActor func nothingAfterCancelOfAView() async {
    for _ in 0..<200 {
      let (view, bag, channel) = (View(), TaskBag(), EventChannel<Int>())
      channel.subscribe().pipe(to: view, in: bag) { $1.count = $0 }
      await Task.yield()
      channel.send(1)
      bag.cancel()
      let count = view.state.count
      await bag.wait()
      for _ in 0..<10 { await Task.yield() }
      #expect(view.state.count == count)
    }
  }

  @Test("A filter on another holder's state works with a pipe in a bag")
  func filterOnAnother() async {
    let (node, other, bag) = (PlainNode(), Session(), TaskBag())
    Elements(elements: [1, 2, 3]).filter(with: other) { event, limit in event * 3 < limit }
      .pipe(to: node, in: bag) { $1.count += $0 }
    await bag.wait()
    #expect(node.state.count == 3)
  }

  @Test("S18: sinks and pipes release the old state outside the lock")
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

  @Test("S14: a failing pipe in a bag reports its error")
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

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("S14: a debug build prints an error that no onError handles, once for each type")
    func unhandled() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (node, bag) = (Session(), TaskBag())
        for _ in 1...2 {
          Breaking(elements: [1]).pipe(to: node, in: bag)
          Breaking(elements: [1]).live(in: bag) { _ in }
        }
        struct Unplugged: Error {}
        AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Unplugged()) }
          .live(in: bag) { _ in }
        await bag.wait()
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(
        text.ranges(of: "A sequence has thrown Broken(code: 42), and no 'onError'").count == 1)
      #expect(text.contains("A sequence has thrown Unplugged(), and no 'onError'"))
    }
  #endif

  @Test(
    "S17: a view that only its pipe still references is released on the main actor",
    arguments: [false, true])
  func viewsReleasedOnTheMainActor(_ hasReducer: Bool) async {
    let log = Log<Bool>()
    let channel = EventChannel<OuterState>()
    let bag = TaskBag()
    for _ in 0..<500 {
      await MainActor.run {
        let view = MortalView(log)
        if hasReducer {
          channel.subscribe().pipe(to: view, in: bag) { $1 = $0 }
        } else {
          channel.subscribe().pipe(to: view, in: bag)
        }
        channel.send(OuterState())
        for _ in 0..<50 { _ = view.state }
      }
    }
    channel.finish()
    await bag.wait()
    #expect(log.all.count == 500)
    #expect(!log.all.contains(false))
  }

  @Test("S17: captures of the reducer in a view's pipe are released on the main actor")
  func capturedByReducers() async {
    let log = Log<Bool>()
    for _ in 0..<200 {
      let (bag, channel) = (TaskBag(), EventChannel<Int>())
      await MainActor.run {
        let (view, captured) = (View(), Mortal(log))
        channel.subscribe().pipe(to: view, in: bag) { event, state in
          state.count = event
          withExtendedLifetime(captured) {}
        }
      }
      channel.send(1)
      channel.finish()
      await bag.wait()
    }
    await waitWhile(log.count < 200)
    #expect(!log.all.contains(false))
  }

  @Test(
    "S17: a view that loses its other references while its pipe reduces is released on the main actor"
  )
  func viewsReleasedWhileReducing() async {
    let log = Log<Bool>()
    let channel = EventChannel<Int>()
    let bag = TaskBag()
    for _ in 0..<100 {
      let only = Shared<MortalView?>(nil)
      await MainActor.run {
        let view = MortalView(log)
        only.value = view
        channel.subscribe().pipe(to: view, in: bag) { _, _ in only.value = nil }
      }
    }
    channel.send(1)
    channel.finish()
    await bag.wait()
    #expect(log.all.count == 100)
    #expect(!log.all.contains(false))
  }
}
