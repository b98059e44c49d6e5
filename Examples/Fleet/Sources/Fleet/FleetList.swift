import AsyncDiff

/// What a gateway knows of all machines, as one more list that pages follow: a row for each, by name.
///
/// A machine that comes, goes or is forgotten is one row that changes, however many there are.
struct FleetList: SectionInflator {
  /// The list's name; no log has it.
  static let name = "*"

  /// What a page is told of a machine beside its list.
  struct Machine: Diffable, Identifiable, Equatable, Sendable, Codable {
    var name: String
    /// When it gave its last sign, in seconds since 1970, if it is gone.
    var gone: Int?
    /// Why its list is not as new as its log.
    var trouble: String?

    var id: String { name }
  }

  struct About: Equatable, Sendable, Codable {
    /// Why the logs cannot be reached.
    var trouble: String?
  }

  let diffIdentifier = "fleet"
  let content: About
  let items: [Machine]
}
