import AsyncDiff

/// The gateway's list of all machines, which pages follow like any other: a row for each, sorted by name.
///
/// A machine that appears, disappears or is deleted changes one row, however many there are.
struct FleetList: SectionInflator {
  /// The list's name, which no log has.
  static let name = "*"

  /// The row of a machine.
  struct Machine: Diffable, Identifiable, Equatable, Sendable, Codable {
    var name: String
    /// The time of its last sign, in seconds since 1970, if it is gone.
    var gone: Int?
    /// Why its list is older than its log.
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
