/// Sells a ticket twice: between the look and the change another buyer comes.
@MainActor public final class TicketShop {
  /// How many are left.
  public private(set) var tickets = 1
  private let bank = Bank()

  /// Opens a shop with one ticket.
  public init() {}

  /// Starts a purchase.
  public func buy(for name: String) -> Task<Void, Never> {
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
public actor Cache {
  private var entry: (value: Int, until: ContinuousClock.Instant)?

  /// Creates an empty cache.
  public init() {}

  /// Keeps a value from now on.
  public func put(_ value: Int) { entry = (value, .now + .seconds(10)) }
  /// The value, while it is kept.
  public func get() -> Int? { entry.flatMap { $0.until > .now ? $0.value : nil } }
}

/// Counts, and looks and changes in two critical sections.
public final class Tally: Sendable {
  private let count = Locked(0)

  /// Begins with nothing.
  public init() {}

  /// How much was counted.
  public var value: Int { count.read() }

  /// Counts one more.
  public func add() {
    let seen = count.read()
    count.write(seen + 1)
  }
}
