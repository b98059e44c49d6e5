import AsyncDiff
import ProcessBoard

/// A part of the page: the machine, the tab's own settings, or the processes of a user.
///
/// All of it is one list of sections, so that one way leads to the browser: what is shown of a part is its
/// content, and changes as any section does.
struct Part: SectionInflator {
  struct Content: Equatable, Sendable, Codable {
    var machine: MachineContent?
    var view: ViewContent?
    var user: UserContent?
  }

  var diffIdentifier: String
  var content: Content
  var items: [ProcessRow] = []
}

struct MachineContent: Equatable, Sendable, Codable {
  /// Which reading this is.
  var reading: Int
  var processes: Int
  /// In tenths of a percent of all processors.
  var cpu: Int
  var memoryUsed: Int
  var memoryTotal: Int
  /// In hundredths.
  var load: Int
  var cores: Int
  var cpuChart: Chart
  var memoryChart: Chart
  var loadChart: Chart
}

struct ViewContent: Equatable, Sendable, Codable {
  struct Selection: Equatable, Sendable, Codable {
    var id: ProcessID
    /// All that is known of it; nil if it has ended.
    var detail: Detail?
  }

  struct Detail: Equatable, Sendable, Codable {
    var name: String
    var user: String
    var command: String
    var cpu: Int
    var memory: Int
    /// In hundredths of a second.
    var processorTime: Int
  }

  var options: ViewOptions
  var isPaused: Bool
  /// How many processes the filter lets through.
  var matches: Int
  var selection: Selection?
}

struct UserContent: Equatable, Sendable, Codable {
  var name: String
  var count: Int
  /// As in a row, summed up.
  var cpu: Int
  var memory: Int
  var isFolded: Bool
}
