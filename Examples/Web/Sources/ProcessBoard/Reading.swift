/// What the system says at one moment: counters, not rates.
public struct Reading: Equatable, Sendable {
  /// A process at that moment.
  public struct Process: Equatable, Sendable {
    var id: ProcessID
    var user: String
    /// Short, and set by the process itself: it may hold anything.
    var name: String
    /// The whole command line; of a thread of the kernel, its name.
    var command: String
    /// The processor time used so far, in seconds.
    var processorTime: Double
    /// Resident bytes.
    var memory: Int
  }

  /// Seconds on a clock that only goes forward.
  var time: Double
  var processes: [Process] = []
  /// Bytes in use and bytes there are.
  var memoryUsed = 0
  var memoryTotal = 0
  /// The load average of the last minute.
  var load = 0.0
  var cores = 1
  /// The time that all processors together have worked so far, in seconds, where the system tells.
  var busyTime: Double?
}

/// Names a process: numbers come again, but not with the same start.
public struct ProcessID: Hashable, Sendable {
  /// The number that the system gives.
  public var number: Int
  /// When it started, on whatever clock the reader has.
  public var start: Int
}

/// Where readings come from.
public protocol ProcessReader: Sendable {
  /// Takes a reading.
  ///
  /// - Returns: What the system says now.
  /// - Throws: Why it tells nothing.
  mutating func read() throws -> Reading
}
