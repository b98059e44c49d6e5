import ExploreTesting
import Shop
import Synchronization

@Suite struct ShopTests {
  private struct Declined: Error {}

  @Test func noTicketIsSoldTwice() async {
    await explore(seeds: 500) {
      let paid = Mutex<[String]>([])
      let shop = Shop(tickets: 1) { name in
        await Task.yield()
        paid.withLock { $0.append(name) }
      }
      let buyers = ["Ann", "Ben"].map { name in
        Task(name: name) { try await shop.sell(to: name) }
      }
      for buyer in buyers { _ = try await buyer.value }
      #expect(paid.withLock { $0.count } == 1)
      #expect(await shop.left == 0)
    }
  }

  @Test func declinedCardReturnsTheTicket() async {
    await explore(seeds: 500) {
      let shop = Shop(tickets: 1) { name in
        try await Task.sleep(for: .seconds(30))  // virtual time, so the test does not wait
        if name == "Ann" { throw Declined() }
      }
      let ann = Task(name: "Ann") { try await shop.sell(to: "Ann") }
      let ben = Task(name: "Ben") { try await shop.sell(to: "Ben") }
      #expect((try? await ann.value) != true)  // declined, or too late
      let hasTicket = try await ben.value
      sometimes("Ben comes first", hasTicket)
      #expect(await shop.left == (hasTicket ? 0 : 1))
    }
  }
}
