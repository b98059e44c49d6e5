/// Sells tickets, but never more than it has.
public actor Shop {
  private var tickets: Int
  private let charge: @Sendable (String) async throws -> Void

  /// Opens a shop.
  ///
  /// - Parameters:
  ///   - tickets: The number of tickets.
  ///   - charge: Takes a customer's money.
  public init(tickets: Int, charge: @escaping @Sendable (String) async throws -> Void) {
    self.tickets = tickets
    self.charge = charge
  }

  /// The number of tickets left.
  public var left: Int { tickets }

  /// Sells a ticket.
  ///
  /// A ticket is reserved before the customer pays, so another customer does not get it in the meantime.
  ///
  /// - Parameter name: The customer.
  /// - Returns: Whether there was a ticket.
  /// - Throws: The error that `charge` throws; the ticket is then available again.
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
