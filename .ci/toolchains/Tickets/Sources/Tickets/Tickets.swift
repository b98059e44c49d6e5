/// A shop with a bug: it sells a ticket twice if a second buyer checks the count before the first buyer has paid.
@MainActor public final class TicketShop {
  /// The number of tickets left.
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

/// A cache that keeps a value for ten seconds.
public actor Cache {
  private var entry: (value: Int, until: ContinuousClock.Instant)?

  /// Creates an empty cache.
  public init() {}

  /// Stores a value for the next ten seconds.
  public func put(_ value: Int) { entry = (value, .now + .seconds(10)) }
  /// The stored value; `nil` after ten seconds.
  public func get() -> Int? { entry.flatMap { $0.until > .now ? $0.value : nil } }
}

/// A counter that reads and writes its value in two critical sections, so it loses updates.
public final class Tally: Sendable {
  private let count = Locked(0)

  /// Creates a counter at zero.
  public init() {}

  /// The current count.
  public var value: Int { count.read() }

  /// Adds one to the count.
  public func add() {
    let seen = count.read()
    count.write(seen + 1)
  }
}
