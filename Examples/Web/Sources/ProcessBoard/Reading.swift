/// The system's counters at one moment.
public struct Reading: Equatable, Sendable {
  /// The counters of a process.
  public struct Process: Equatable, Sendable {
    var id: ProcessID
    var user: String
    /// The short name, which the process sets itself and which can therefore contain anything.
    var name: String
    /// The command line, or the name of a kernel thread.
    var command: String
    /// The processor time used so far, in seconds.
    var processorTime: Double
    /// The resident memory in bytes.
    var memory: Int
  }

  /// The time of the reading, in seconds on a monotonic clock.
  var time: Double
  var processes: [Process] = []
  /// The memory in use, in bytes.
  var memoryUsed = 0
  /// The total memory, in bytes.
  var memoryTotal = 0
  /// The load average of the last minute.
  var load = 0.0
  var cores = 1
  /// The total busy time of all processors in seconds, if the system reports it.
  var busyTime: Double?
}

/// Identifies a process by its number and its start time, because numbers are reused.
public struct ProcessID: Hashable, Sendable {
  /// The process number.
  public var number: Int
  /// The start time on the reader's clock.
  public var start: Int
}

/// A source of readings.
public protocol ProcessReader: Sendable {
  /// Takes a reading.
  ///
  /// - Returns: The current counters.
  /// - Throws: An error if the counters cannot be read.
  mutating func read() throws -> Reading
}
