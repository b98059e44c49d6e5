/// The machine as a whole, during the last two minutes.
public struct Machine: Equatable, Sendable {
  /// A point of the machine's charts.
  public struct Moment: Equatable, Sendable {
    /// The time of the reading, in seconds on the reader's clock.
    public var time: Double
    /// The share of all processors that is in use, from 0 to 1.
    public var cpu: Double
    /// The share of the memory that is in use, from 0 to 1.
    public var memory: Double
    /// The load average of the last minute.
    public var load: Double
  }

  /// The length of the history, in seconds.
  public static let span = 120.0
  /// The number of equal time slots in the history, each of which has at most one point, its newest reading.
  static let points = 240

  /// The moments, with the newest last.
  public private(set) var moments: [Moment] = []
  /// The memory in use, in bytes.
  public var memoryUsed = 0
  /// The total memory, in bytes.
  public var memoryTotal = 0
  /// The number of processors.
  public var cores = 1

  /// The newest moment; all values are zero before the first reading.
  public var now: Moment { moments.last ?? Moment(time: 0, cpu: 0, memory: 0, load: 0) }

  /// Adds a moment, which replaces an earlier moment in the same slot, and removes moments that are too old.
  mutating func add(_ moment: Moment) {
    if let last = moments.last, Self.slot(of: last) == Self.slot(of: moment) {
      moments.removeLast()
    }
    moments.append(moment)
    moments.removeAll { moment.time - $0.time > Self.span }
  }

  private static func slot(of moment: Moment) -> Double {
    (moment.time * Double(points) / span).rounded(.down)
  }
}
