// Explorations of https://github.com/AsyncSwiftKits/AsyncChannelKit at 9d48113.
// The package builds on Linux unchanged.

import AsyncChannelKit
import ExploreTesting
import Testing

/// Bug 15: the channel "matches the same interface as" `AsyncChannel`, whose `send` returns after the end.
@Test func sendReturnsAfterTheEnd() async {
  // A single task leaves the kit no choice of schedule.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let channel = AsyncChannel<Int>()
    await channel.finish()
    await channel.send(1)
  }
}

/// Bug 16: `send` continues when "there is a matched next or task is cancelled".
@Test func sendThatIsCancelledReturns() async {
  await explore(seeds: 10_000) {
    let channel = AsyncChannel<Int>()
    let sender = Task(name: "sender") { await channel.send(1) }
    sender.cancel()
    await sender.value
  }
}
