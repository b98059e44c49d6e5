import ExploreTesting
import Testing
import Tickets

/// Tests that fail; finding each bug needs a different part of the kit.
@Suite struct Bugs {
  @Test func ticketIsSoldTwice() async {
    await explore { @MainActor in
      let shop = TicketShop()
      let buyers = [shop.buy(for: "Ann"), shop.buy(for: "Ben")]
      for buyer in buyers { await buyer.value }
      #expect(shop.tickets >= 0)
    }
  }

  @Test func entryIsGoneAfterElevenSeconds() async {
    await explore(seeds: 100) {
      let cache = Cache()
      await cache.put(1)
      let readers = (0..<2).map { _ in
        Task {
          try? await Task.sleep(for: .seconds(11))
          return await cache.get()
        }
      }
      for reader in readers { #expect(await reader.value == 1) }
    }
  }

  @Test func countIsLost() async {
    await explore {
      let tally = Tally()
      let tasks = (0..<2).map { _ in Task { tally.add() } }
      for task in tasks { await task.value }
      #expect(tally.value == 2)
    }
  }
}

/// Tests that pass, although they sleep and draw random numbers.
@Suite struct Right {
  @Test func entryIsThereAfterNineSeconds() async {
    await explore(seeds: 100) {
      let cache = Cache()
      await cache.put(1)
      let readers = (0..<2).map { _ in
        Task {
          try? await Task.sleep(for: .seconds(9))
          return await cache.get()
        }
      }
      for reader in readers { #expect(await reader.value == 1) }
    }
  }

  @Test func seedsDrawTheSameNumbers() async {
    var exploration = Exploration(seeds: 20, allowing: [.noChoice])
    exploration.runsTwice = true
    await explore(exploration) {
      let number = Int.random(in: 0..<1_000_000)
      if number % 2 == 0 { await Task.yield() }
      await withTaskGroup { group in
        for _ in 0..<number % 5 { group.addTask { await Task.yield() } }
      }
    }
  }
}
