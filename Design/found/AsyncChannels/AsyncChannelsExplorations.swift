// Explorations of gh123man/Async-Channels at commit 0fed3c0. The package builds on Linux unchanged.

import AsyncChannels
import ExploreTesting
import Testing

@Suite struct AsyncChannelsExplorations {
  // Bug 5: `select` suspends until one of its cases is ready. A second `select` on a channel
  // replaces the first, which is then never notified.
  @Test func twoSelectsOnAChannelReceiveAnElementEach() async {
    await explore(seeds: 10_000) {
      let channel = Channel<Int>()
      await withDiscardingTaskGroup { group in
        for number in 1...2 {
          group.addTask(name: "select \(number)") { await select { receive(channel) } }
        }
        group.addTask(name: "sender") {
          for number in 1...2 { await channel.send(number) }
        }
      }
    }
  }
}
