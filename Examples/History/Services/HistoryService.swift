/// Provides the pages of the history, and stores edited entries.
protocol HistoryService: Sendable {
  func page(named name: String) async throws -> Page
  func save(_ entry: Entry) async throws
}

/// The reason why a request failed, as a message for the user.
struct ServiceFailure: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Creates the failure for a status code.
  static func status(_ code: Int, of name: String) -> ServiceFailure {
    switch code {
    case 404: ServiceFailure("There is no \(name) (404).")
    case 500...: ServiceFailure("The service failed at \(name) (\(code)).")
    default: ServiceFailure("The service refused \(name) (\(code)).")
    }
  }
}
