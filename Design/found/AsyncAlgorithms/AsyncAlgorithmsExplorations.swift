// Explorations of apple/swift-async-algorithms at commit 3da39bb. The package builds on Linux unchanged.

import AsyncAlgorithms
import ExploreTesting
import Testing

private struct Broken: Error {}

@Suite struct AsyncAlgorithmsExplorations {
  // Bug 2: when nobody can read a shared sequence any more, "the backing iteration is canceled".
  // It is not cancelled if the last reader leaves an element in the buffer.
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

  // Bug 3: the guide says that iteration of a replaced sequence is cancelled. After `break`, neither
  // the outer nor the inner sequence is cancelled.
  @Test func flatMapLatestEndsItsTasksWithTheLoop() async {
    await explore(seeds: 10_000, leavesNothing: true) {
      let (source, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      for await _ in source.flatMapLatest({ number in [number].async }) { break }
    }
  }

  // Bug 47: "Cancelling iteration cancels both the base and current inner sequence". It cancels
  // neither while the consumer waits.
  @Test func flatMapLatestEndsItsTasksWhenItIsCancelled() async {
    await explore(seeds: 10_000, leavesNothing: true) {
      let (source, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      let reader = Task(name: "reader") {
        for await _ in source.flatMapLatest({ number in [number].async }) {}
      }
      try await Task.sleep(for: .seconds(1))
      reader.cancel()
      await reader.value
    }
  }

  // Bug 47 again: an error "is immediately propagated and all tasks are cancelled".
  @Test func flatMapLatestEndsTheBaseWhenTheInnerSequenceThrows() async {
    await explore(seeds: 10_000, leavesNothing: true) {
      let (source, continuation) = AsyncThrowingStream.makeStream(
        of: Int.self, throwing: (any Error).self)
      continuation.yield(1)
      let inner = AsyncThrowingStream<Int, any Error> { throw Broken() }
      do { for try await _ in source.flatMapLatest({ _ in inner }) {} } catch {}
    }
  }

  // Known bug (issue 437): the sequence ends with the base and the last inner sequence. If an
  // inner sequence ends before its task is registered, the consumer waits forever.
  @Test func flatMapLatestEndsWithItsLastSequence() async {
    await explore(seeds: 10_000) {
      let inner: [Int] = []
      for await _ in [1].async.flatMapLatest({ _ in inner.async }) {}
    }
  }
}
