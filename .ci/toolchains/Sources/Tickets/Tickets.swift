/// Sells a ticket twice: between the look and the change another buyer comes.
@MainActor public final class TicketShop {
  package private(set) var tickets = 1
  private let bank = Bank()

  package init() {}

  package func buy(for name: String) -> Task<Void, Never> {
    Task(name: name) {
      guard tickets > 0 else { return }
      await bank.charge(name)
      tickets -= 1
    }
  }
}

actor Bank {
  private var charged: [String] = []
  func charge(_ name: String) { charged.append(name) }
}

/// Keeps a value for ten seconds.
package actor Cache {
  private var entry: (value: Int, until: ContinuousClock.Instant)?

  package init() {}

  package func put(_ value: Int) { entry = (value, .now + .seconds(10)) }
  package func get() -> Int? { entry.flatMap { $0.until > .now ? $0.value : nil } }
}

/// Counts, and looks and changes in two critical sections.
package final class Tally: Sendable {
  private let count = Locked(0)

  package init() {}

  package var value: Int { count.read() }

  package func add() {
    let seen = count.read()
    count.write(seen + 1)
  }
}
