#if TWO_KITS
  import ExploreTesting
  import Second
  import Testing
  import Tickets

  /// Tests with two copies of the kit in one process.
  @Suite struct TwoKits {
    private struct Sold: Error {}

    @Test func bothFindTheBug() async {
      let scenario: @Sendable () async throws -> Void = { @MainActor in
        let shop = TicketShop()
        let buyers = [shop.buy(for: "Ann"), shop.buy(for: "Ben")]
        for buyer in buyers { await buyer.value }
        if shop.tickets < 0 { throw Sold() }
      }
      let first = await Exploration().firstFailure(scenario).map { "\($0)" }
      let second = await failureSeenBySecondKit(scenario)
      #expect(first?.contains("threw Sold()") == true && first == second)
    }
  }
#endif
