import AsyncDiff
import ProcessBoard

/// A part of the page: the machine, the tab's own settings, or the processes of a user.
///
/// All parts are sections of one list, so the browser receives all of them in the same way.
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
  /// The sequence number of the reading.
  var reading: Int
  var processes: Int
  /// The processor usage in tenths of a percent of all processors.
  var cpu: Int
  var memoryUsed: Int
  var memoryTotal: Int
  /// The load average in hundredths.
  var load: Int
  var cores: Int
  var cpuChart: Chart
  var memoryChart: Chart
  var loadChart: Chart
}

struct ViewContent: Equatable, Sendable, Codable {
  struct Selection: Equatable, Sendable, Codable {
    var id: ProcessID
    /// The details; `nil` if the process has ended.
    var detail: Detail?
  }

  struct Detail: Equatable, Sendable, Codable {
    var name: String
    var user: String
    var command: String
    var cpu: Int
    var memory: Int
    /// The processor time in hundredths of a second.
    var processorTime: Int
  }

  var options: ViewOptions
  var isPaused: Bool
  /// The number of processes that match the filter.
  var matches: Int
  var selection: Selection?
}

struct UserContent: Equatable, Sendable, Codable {
  var name: String
  var count: Int
  /// The sum of the processor usage of the user's processes, in the unit of `ProcessRow.cpu`.
  var cpu: Int
  /// The sum of the memory of the user's processes, in the unit of `ProcessRow.memory`.
  var memory: Int
  var isFolded: Bool
}
