import AsyncKnot
import Measure
import Observation
import Synchronization

/// Measures events that are reduced into a state, without observers and with one.
func measureReductions() async {
  let events = 1_000_000
  let numbers = Numbers(bound: events)
  let node = Node()
  let drawing = DrawingNode()
  let bare = BareActor()
  let locked = Locked()
  let hop = Contender("bare actor") { for number in 0..<events { await bare.set(number) } }
  let caller = BareActor()
  let hopFromActor = Contender("bare actor, called from another actor") {
    await caller.setNumbers(below: events, in: bare)
  }
  let lock = Contender("Mutex") {
    for await number in numbers { locked.value.withLock { $0 = number } }
  }
  let race = Race("Reductions: 1,000,000 events, per event")
  await race.row(
    "pipe", operations: events, { await numbers.pipe(to: node) { $1.value = $0 } }, hop,
    hopFromActor, lock)
  await race.row(
    "pipe to a node that draws", operations: events,
    { await numbers.pipe(to: drawing) { $1.value = $0 } }, hop)
  await race.row(
    "filter(with:) and pipe", operations: events,
    {
      await numbers.filter(with: node) { number, _ in number.isMultiple(of: 2) }
        .pipe(to: node) { $1.value = $0 }
    }, hop,
    Contender("standard filter, bare actor") {
      for await number in numbers.filter({ $0.isMultiple(of: 2) }) { await bare.set(number) }
    })
  await race.row(
    "withState(from:)", operations: events,
    { for await pair in numbers.withState(from: node) { consume(pair) } },
    Contender("standard map and Mutex") {
      for await pair in numbers.map({ ($0, locked.value.withLock { $0 }) }) { consume(pair) }
    })
  await race.row(
    "three operators", operations: events,
    {
      for await state in numbers.filter(with: node, { _, _ in true }).withState(from: node)
        .state(from: node)
      { consume(state) }
    },
    Contender("three standard map/filter") {
      for await state in numbers.filter({ _ in true }).map({ ($0, 1) }).map({ $0.1 }) {
        consume(state)
      }
    })
  await measureSameIsolationObserver(race)
  await measureOneObserver(race)
}

private func measureSameIsolationObserver(_ race: Race) async {
  let events = 1_000_000
  let observed = Node()
  let bag = TaskBag()
  await observed.observe(in: bag) { _, state in consume(state) }
  await race.row(
    "pipe with one `observe` handler", operations: events,
    { await Numbers(bound: events).pipe(to: observed) { $1.value = $0 } },
    Contender("pipe without a handler") {
      await Numbers(bound: events).pipe(to: Node()) { $1.value = $0 }
    })
  bag.cancel()
}

final class Flag: Sendable { let value = Atomic(false) }

@Observable final class Observed: Sendable {
  @ObservationIgnored let locked = Locked()
  var value: Int {
    get {
      access(keyPath: \.value)
      return locked.value.withLock { $0 }
    }
    set { withMutation(keyPath: \.value) { locked.value.withLock { $0 = newValue } } }
  }
}

private func measureOneObserver(_ race: Race) async {
  let events = 200_000
  await race.row(
    "pipe with one observer in a task", operations: events,
    {
      let node = Node()
      await withDiscardingTaskGroup { group in
        group.addTask { for await state in node.states where state.value == events - 1 { break } }
        await Numbers(bound: events).pipe(to: node) { $1.value = $0 }
      }
    },
    Contender("Observations") {
      let observed = Observed()
      let hasLast = Flag()
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await value in Observations({ observed.value }) where value == events - 1 { break }
          hasLast.value.store(true, ordering: .relaxed)
        }
        for await number in Numbers(bound: events) { observed.value = number }
        // `Observations` misses the last value in about one run in a few dozen. Without this loop, it would then wait forever.
        while !hasLast.value.load(ordering: .relaxed) {
          observed.value = events - 1
          await Task.yield()
        }
      }
    },
    Contender("AsyncStream") {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      await withDiscardingTaskGroup { group in
        group.addTask { for await value in stream where value == events - 1 { break } }
        for await number in Numbers(bound: events) { continuation.yield(number) }
      }
    })
}
