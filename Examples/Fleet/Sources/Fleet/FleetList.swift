import AsyncDiff

/// The gateway's list of all machines, with a row for each machine, sorted by name.
///
/// Pages follow this list like any other list. A machine that appears, disappears or is deleted changes only one row.
struct FleetList: SectionInflator {
  /// The name of this list, which is not a valid name of a log.
  static let name = "*"

  /// The row of a machine.
  struct Machine: Diffable, Identifiable, Equatable, Sendable, Codable {
    var name: String
    /// If the machine is gone, the time of its last heartbeat, in seconds since 1970; otherwise `nil`.
    var gone: Int?
    /// The reason why the machine's list is older than its log, or why its writer cannot append.
    var trouble: String?

    var id: String { name }
  }

  struct About: Equatable, Sendable, Codable {
    /// The reason why the logs cannot be reached.
    var trouble: String?
  }

  let diffIdentifier = "fleet"
  let content: About
  let items: [Machine]
}
