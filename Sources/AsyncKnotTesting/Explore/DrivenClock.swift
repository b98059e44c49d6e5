/// A clock that a run moves when nothing else is ready.
protocol DrivenClock: AnyObject, Sendable {
  /// The time until the first sleeper wakes.
  var timeToNextDeadline: Duration? { get }

  /// Moves time and wakes who is due, without waiting for what they do.
  func move(by duration: Duration)

  /// Wakes every sleeper with a `CancellationError`.
  func cancelSleepers()
}
