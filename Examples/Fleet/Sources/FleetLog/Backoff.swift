/// The time before the next attempt, which doubles after each attempt up to a limit.
package struct Backoff: Sendable {
  private static let first = Duration.milliseconds(50)
  private static let limit = Duration.seconds(2)
  private var time = first

  package init() {}

  /// Returns the time to wait, and doubles it for the next attempt.
  package mutating func next() -> Duration {
    defer { time = min(time * 2, Self.limit) }
    return time
  }

  /// Resets the time.
  ///
  /// Call this method after a success.
  package mutating func reset() { time = Self.first }
}
