// Explorations of https://github.com/BrentMifsud/AsyncSubjects at 27c3a3d.
// It builds on Linux as it is.

import ExploreTesting
import AsyncSubjects
import Testing

/// Row 20: it is to "behave like" a subject of Combine, which tells a late subscriber of its end.
@Test func whoReadsAfterTheEndEnds() async {
  // Registered in the call, an iterator leaves no choice.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let subject = AsyncPassthroughSubject<Int>()
    await subject.finish()
    for await _ in subject {}
  }
}

/// Row 21: it is to "behave like" a subject of Combine, which sends to all who have subscribed.
@Test func iteratorGetsWhatIsSentAfterItWasMade() async {
  // Registered in the call, an iterator leaves no choice.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let subject = AsyncPassthroughSubject<Int>()
    var iterator = subject.makeAsyncIterator()
    await subject.yield(value: 1)
    _ = await iterator.next()
  }
}
