internal import AsyncKnot

/// A clock of any type, whose instants are durations since a start.
@usableFromInline
struct Timeline: Sendable {
  /// The time since the start.
  @usableFromInline let now: @Sendable () -> Duration
  /// Suspends until a time since the start, at most for a century; throws when the task is cancelled.
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleepForACentury(orUntil: start.advanced(by: $0)) }
  }
}
