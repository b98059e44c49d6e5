// Explorations of swhitty/FlyingFox at commit 71dcb81, library FlyingSocks. The package builds on Linux unchanged.

import ExploreTesting
import FlyingSocks

/// A sequence whose elements come from an actor, like those of a socket.
private struct Source: AsyncBufferedSequence {
  actor Store {
    private(set) var elements: [Int]
    init(_ elements: [Int]) { self.elements = elements }

    func take(_ count: Int) async -> ArraySlice<Int>? {
      await Task.yield()
      guard !elements.isEmpty else { return nil }
      defer { elements.removeFirst(Swift.min(count, elements.count)) }
      return elements.prefix(count)
    }
  }

  struct AsyncIterator: AsyncBufferedIteratorProtocol {
    let store: Store
    mutating func next() async throws -> Int? { await store.take(1)?.first }
    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<Int>? {
      await store.take(count)
    }
  }

  typealias Element = Int
  let store: Store
  init(_ elements: [Int]) { store = Store(elements) }
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store: store) }
}

/// A sequence that delivers nothing for an hour, and then ends.
private struct Silence: AsyncBufferedSequence {
  struct AsyncIterator: AsyncBufferedIteratorProtocol {
    mutating func next() async throws -> Int? {
      try await Task.sleep(for: .seconds(3_600))
      return nil
    }
    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<Int>? {
      try await Task.sleep(for: .seconds(3_600))
      return nil
    }
  }

  typealias Element = Int
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

@Suite struct FlyingSocksExplorations {
  // Bug 26: a body of `count` elements is replayed to each reader; the elements after it belong to the next request.
  @Test func aReplayedBodyEndsWhereItsCountDoes() async {
    await explore(seeds: 10_000) {
      let source = Source([1, 2, 3, 4])
      let body = AsyncSharedReplaySequence(base: source, count: 2)
      try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<2 {
          group.addTask {
            var (read, iterator) = ([Int](), body.makeAsyncIterator())
            while let chunk = try await iterator.nextBuffer(suggested: 2) { read += chunk }
            return read
          }
        }
        for try await read in group { #expect(read == [1, 2]) }
      }
      #expect(await source.store.elements == [3, 4])
    }
  }

  // Bug 27: in a cancelled task, `flushIfNeeded()` never ends, and never suspends for long.
  @Test func aCancelledFlushEnds() async {
    await explore(seeds: 100, jobLimit: 20_000, allowing: [.noChoice]) {
      let body = AsyncSharedReplaySequence(base: Silence(), count: 2)
      let flush = Task(name: "flush") { try await body.flushIfNeeded() }
      flush.cancel()
      _ = await flush.result
    }
  }
}
