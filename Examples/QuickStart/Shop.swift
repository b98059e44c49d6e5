/// Sells one ticket.
@MainActor protocol TicketSeller {
  var tickets: Int { get }
  func buy(for name: String) -> Task<Void, Never>
}

/// A shop with a bug: if two customers check the count before either has paid, both get the ticket.
@MainActor final class Shop: TicketSeller {
  private(set) var tickets = 1
  private let bank = Bank()

  func buy(for name: String) -> Task<Void, Never> {
    Task(name: name) {
      guard tickets > 0 else { return }
      await bank.charge(name)
      tickets -= 1
    }
  }
}

/// The fixed shop, which takes the ticket before it suspends.
@MainActor final class FixedShop: TicketSeller {
  private(set) var tickets = 1
  private let bank = Bank()

  func buy(for name: String) -> Task<Void, Never> {
    Task(name: name) {
      guard tickets > 0 else { return }
      tickets -= 1
      await bank.charge(name)
    }
  }
}

actor Bank {
  private var charged: [String] = []
  func charge(_ name: String) { charged.append(name) }
}
