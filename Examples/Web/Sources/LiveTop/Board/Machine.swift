/// The machine as a whole, over two minutes.
struct Machine: Equatable, Sendable {
  struct Moment: Equatable, Sendable {
    /// Seconds on the reading's clock.
    var time: Double
    /// Parts of one.
    var cpu: Double
    var memory: Double
    var load: Double
  }

  static let span = 120.0
  /// More points than this cannot be told apart; readings that come faster share one.
  static let points = 240

  private(set) var moments: [Moment] = []
  var memoryUsed = 0
  var memoryTotal = 0
  var cores = 1

  /// The newest moment; all zero before the first.
  var now: Moment { moments.last ?? Moment(time: 0, cpu: 0, memory: 0, load: 0) }

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
