// Explorations of sideeffect-io/AsyncExtensions at commit ba01681. Its lock imports Darwin. To
// build it on Linux, replace `Sources/Supporting/ManagedCriticalState.swift` with an `NSLock`.

import AsyncExtensions
import ExploreTesting
import Testing

@Suite struct AsyncExtensionsExplorations {
  // Bug 4: `switchToLatest()` republishes "elements sent by the most recently received async
  // sequence". If the base ends in the meantime, the operator follows the previous sequence.
  @Test func switchToLatestFollowsTheLatestSequence() async {
    await explore(seeds: 10_000) {
      let children = AsyncLazySequence([AsyncJustSequence(1), AsyncJustSequence(2)])
      var last: Int?
      for await element in children.switchToLatest() { last = element }
      #expect(last == 2)
    }
  }

  // Known bug (pull request 40): "The current value is replayed in any new async for in
  // loops". A value that is sent while a reader begins can be lost. The reader then waits forever.
  @Test func newReaderOfACurrentValueSubjectMissesNothing() async {
    await explore(seeds: 10_000) {
      let subject = AsyncCurrentValueSubject(1)
      let reader = Task(name: "reader") {
        for await element in subject where element == 2 { break }
      }
      let sender = Task(name: "sender") { subject.send(2) }
      await reader.value
      await sender.value
    }
  }
}
