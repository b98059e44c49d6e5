/// A shop that never sells more tickets than it has.
public actor Shop {
  private var tickets: Int
  private let charge: @Sendable (String) async throws -> Void

  /// Opens a shop with a number of tickets.
  ///
  /// - Parameters:
  ///   - tickets: The number of tickets for sale.
  ///   - charge: Charges the customer with the given name.
  public init(tickets: Int, charge: @escaping @Sendable (String) async throws -> Void) {
    self.tickets = tickets
    self.charge = charge
  }

  /// The number of tickets left.
  public var left: Int { tickets }

  /// Sells a ticket.
  ///
  /// The ticket is reserved before the customer pays, so that no other customer can buy it in the meantime.
  ///
  /// - Parameter name: The name of the customer.
  /// - Returns: Whether a ticket was left.
  /// - Throws: The error that `charge` throws. In that case, the ticket becomes available again.
  public func sell(to name: String) async throws -> Bool {
    guard tickets > 0 else { return false }
    tickets -= 1
    do {
      try await charge(name)
    } catch {
      tickets += 1
      throw error
    }
    return true
  }
}
