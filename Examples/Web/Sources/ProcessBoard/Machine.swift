/// The machine as a whole, over two minutes.
public struct Machine: Equatable, Sendable {
  /// A point of its charts.
  public struct Moment: Equatable, Sendable {
    /// Seconds on the reading's clock.
    public var time: Double
    /// The part of all processors that works.
    public var cpu: Double
    /// The part of the memory that is in use.
    public var memory: Double
    /// The load average of the last minute.
    public var load: Double
  }

  /// How far back its moments go, in seconds.
  public static let span = 120.0
  /// More points than this cannot be told apart; readings that come faster share one.
  static let points = 240

  /// The moments, ascending.
  public private(set) var moments: [Moment] = []
  /// Bytes in use.
  public var memoryUsed = 0
  /// Bytes there are.
  public var memoryTotal = 0
  /// How many processors there are.
  public var cores = 1

  /// The newest moment; all zero before the first.
  public var now: Moment { moments.last ?? Moment(time: 0, cpu: 0, memory: 0, load: 0) }

  /// Adds a moment, and forgets those that are too old.
  mutating func add(_ moment: Moment) {
    let step = Self.span / Double(Self.points)
    if moments.count >= 2, moment.time - moments[moments.count - 2].time < step {
      moments.removeLast()
    }
    moments.append(moment)
    moments.removeAll { moment.time - $0.time > Self.span }
  }
}
