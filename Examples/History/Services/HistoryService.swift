/// The source of the history.
protocol HistoryService: Sendable {
  /// Reads one page.
  func page(named name: String) async throws -> Page

  /// Stores an entry that was edited.
  func save(_ entry: Entry) async throws
}

/// The reason why a request failed, in words for the user.
struct ServiceFailure: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The meaning of a status code, in words.
  static func status(_ code: Int, of name: String) -> ServiceFailure {
    switch code {
    case 404: ServiceFailure("There is no \(name) (404).")
    case 500...: ServiceFailure("The service failed at \(name) (\(code)).")
    default: ServiceFailure("The service refused \(name) (\(code)).")
    }
  }
}
