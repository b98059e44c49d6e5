// Explorations of apple/swift-async-algorithms at commit 3da39bb. It builds on Linux as it is.

import AsyncAlgorithms
import ExploreTesting
import Testing

@Suite struct AsyncAlgorithmsExplorations {
  // Row 2: when nobody can read a shared sequence any more, "the backing iteration is canceled".
  // Where the last reader leaves an element in the buffer, it is not.
  @Test func shareEndsItsTaskWhenNobodyCanRead() async {
    await explore(seeds: 10_000, leavesNothing: true) {
      let (source, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      let shared = source.share()
      var slower: (any AsyncIteratorProtocol)? = shared.makeAsyncIterator()
      for await _ in shared { break }
      withExtendedLifetime(slower) { slower = nil }
      withExtendedLifetime(shared) {}
    }
  }

  // Row 3: iteration of what was replaced is cancelled. What is left by `break` is not, neither the
  // outer sequence nor the inner one.
  @Test func flatMapLatestEndsItsTasksWithTheLoop() async {
    await explore(seeds: 10_000, leavesNothing: true) {
      let (source, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      for await _ in source.flatMapLatest({ number in [number].async }) { break }
    }
  }

  // Issue 437, below the table: the sequence ends with the base and the last inner sequence. An
  // inner sequence that ends before its task is registered is waited for, for ever.
  @Test func flatMapLatestEndsWithItsLastSequence() async {
    await explore(seeds: 10_000) {
      let inner: [Int] = []
      for await _ in [1].async.flatMapLatest({ _ in inner.async }) {}
    }
  }
}
