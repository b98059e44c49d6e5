/// Sells tickets, and never more than there are.
public actor Shop {
  private var tickets: Int
  private let charge: @Sendable (String) async throws -> Void

  /// Opens a shop.
  ///
  /// - Parameters:
  ///   - tickets: How many there are.
  ///   - charge: Takes a customer's money.
  public init(tickets: Int, charge: @escaping @Sendable (String) async throws -> Void) {
    self.tickets = tickets
    self.charge = charge
  }

  /// How many tickets are left.
  public var left: Int { tickets }

  /// Sells a ticket.
  ///
  /// A ticket is put aside before the customer pays; who buys meanwhile does not get it.
  ///
  /// - Parameter name: The customer.
  /// - Returns: Whether there was a ticket.
  /// - Throws: What the charge throws; then the ticket is there again.
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
