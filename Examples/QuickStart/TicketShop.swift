/// A shop with one ticket; who buys it pays first.
@MainActor protocol Shop {
  var tickets: Int { get }
  func buy(for name: String) -> Task<Void, Never>
}

/// As people write it: two who look before either has paid both get the ticket.
@MainActor final class TicketShop: Shop {
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

/// The same, mended: the ticket is taken before anybody else gets a turn.
@MainActor final class MendedShop: Shop {
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
