/// A clock that a run moves when nothing else is ready.
protocol DrivenClock: AnyObject, Sendable {
  /// The time until the first deadline; `nil` if no task sleeps.
  var timeToNextDeadline: Duration? { get }

  /// Moves time and resumes the tasks whose deadline is reached; it does not wait until they have run.
  func move(by duration: Duration)

  /// Has every sleeping task throw a `CancellationError`.
  func cancelSleepers()
}
