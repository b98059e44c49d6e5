// Explorations of https://github.com/BrentMifsud/AsyncSubjects at 27c3a3d.
// The package builds on Linux unchanged.

import ExploreTesting
import AsyncSubjects
import Testing

/// Bug 20: the README promises to "behave like" a Combine subject, which sends its end to a late subscriber.
@Test func lateReaderEnds() async {
  // An iterator that is registered during the call leaves the kit no choice of schedule.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let subject = AsyncPassthroughSubject<Int>()
    await subject.finish()
    for await _ in subject {}
  }
}

/// Bug 21: the README promises to "behave like" a Combine subject, which sends to all its subscribers.
@Test func iteratorGetsElementsSentAfterItsCreation() async {
  // An iterator that is registered during the call leaves the kit no choice of schedule.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let subject = AsyncPassthroughSubject<Int>()
    var iterator = subject.makeAsyncIterator()
    await subject.yield(value: 1)
    _ = await iterator.next()
  }
}
