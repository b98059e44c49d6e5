/// The number of lines that arrived in each of the last ticks.
struct Rate: Hashable, Sendable {
  /// The number of ticks that are kept.
  static let capacity = 480
  static let ticksPerSecond = 4

  private var samples: [Int] = []
  private var counted = 0

  /// Ends a tick at which `lines` lines have been counted in total.
  mutating func tick(lines: Int) {
    samples.append(lines - counted)
    counted = lines
    samples.removeFirst(max(0, samples.count - Self.capacity))
  }

  /// Excludes the lines of a backlog from the rate, because they were in the log before it was followed.
  mutating func skip(lines: Int) {
    counted += lines
  }

  /// The number of lines in the last second.
  var perSecond: Int { samples.suffix(Self.ticksPerSecond).reduce(0, +) }

  /// Returns the number of lines in each of the last `limit` seconds, with the newest second last.
  func seconds(_ limit: Int) -> [Int] {
    let size = Self.ticksPerSecond
    return stride(from: samples.count, to: 0, by: -size).prefix(limit).reversed()
      .map { samples[max(0, $0 - size)..<$0].reduce(0, +) }
  }
}
