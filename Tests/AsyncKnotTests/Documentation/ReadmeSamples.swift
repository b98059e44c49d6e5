import AsyncKnot
import Testing

/// The README's before and after: an actor that feeds a screen.
private enum Before {
  actor Counter {
    private(set) var count = 0
    private var observers: [Int: AsyncStream<Int>.Continuation] = [:]
    private var lastID = 0

    func counts() -> AsyncStream<Int> {
      lastID += 1
      let (id, (stream, continuation)) = (
        lastID, AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
      )
      observers[id] = continuation
      continuation.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
      continuation.yield(count)
      return stream
    }
    private func forget(_ id: Int) { observers[id] = nil }

    func count(_ ticks: some AsyncSequence<Int, Never> & Sendable) async {
      for await tick in ticks {
        count += tick
        for observer in observers.values { observer.yield(count) }
      }
    }
  }
}

private enum After {
  actor Counter: StateActor {
    let knot = Knot(0)
  }
}

@Suite struct ReadmeSamples {
  @Test("The README's counter gives each count, and so does what it takes the place of")
  func counters() async {
    let ticks = Elements(elements: [1, 2, 3])
    let before = Before.Counter()
    var counts = await before.counts().makeAsyncIterator()
    await before.count(ticks)
    #expect(await counts.next() == 6)

    typealias Counter = After.Counter
    var shown: [Int] = []
    func show(_ count: Int) { shown.append(count) }

    let counter = Counter()
    await ticks.pipe(to: counter) { tick, count in count += tick }
    for await count in counter.states {
      show(count)
      if count == 6 { break }
    }
    #expect(shown == [6])
  }
}
