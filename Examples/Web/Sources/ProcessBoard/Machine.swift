/// The machine as a whole, over two minutes.
public struct Machine: Equatable, Sendable {
  /// A point of the machine's charts.
  public struct Moment: Equatable, Sendable {
    /// Seconds on the reading's clock.
    public var time: Double
    /// The share of all processors that is used.
    public var cpu: Double
    /// The share of the memory that is used.
    public var memory: Double
    /// The load average of the last minute.
    public var load: Double
  }

  /// The length of the history, in seconds.
  public static let span = 120.0
  /// The maximum number of points.
  ///
  /// More points could not be distinguished. If readings are more frequent, several share a point.
  static let points = 240

  /// The moments, ascending.
  public private(set) var moments: [Moment] = []
  /// Bytes in use.
  public var memoryUsed = 0
  /// The total bytes.
  public var memoryTotal = 0
  /// The number of processors.
  public var cores = 1

  /// The newest moment; zero before the first.
  public var now: Moment { moments.last ?? Moment(time: 0, cpu: 0, memory: 0, load: 0) }

  /// Adds a moment and removes those that are too old.
  mutating func add(_ moment: Moment) {
    let step = Self.span / Double(Self.points)
    if moments.count >= 2, moment.time - moments[moments.count - 2].time < step {
      moments.removeLast()
    }
    moments.append(moment)
    moments.removeAll { moment.time - $0.time > Self.span }
  }
}
