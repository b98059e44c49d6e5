// Explorations of https://github.com/AsyncSwiftKits/AsyncChannelKit at 9d48113.
// It builds on Linux as it is.

import AsyncChannelKit
import ExploreTesting
import Testing

/// Row 15: it "matches the same interface as" `AsyncChannel`, where nobody waits after the end.
@Test func sendReturnsAfterTheEnd() async {
  // A single task leaves no choice.
  await explore(seeds: 10_000, allowing: [.noChoice]) {
    let channel = AsyncChannel<Int>()
    await channel.finish()
    await channel.send(1)
  }
}

/// Row 16: `send` goes on when "there is a matched next or task is cancelled".
@Test func sendThatIsCancelledReturns() async {
  await explore(seeds: 10_000) {
    let channel = AsyncChannel<Int>()
    let sender = Task(name: "sender") { await channel.send(1) }
    sender.cancel()
    await sender.value
  }
}
