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
    sleep = { deadline in
      let latest = start.advanced(by: min(deadline, start.duration(to: clock.now) + Self.century))
      try await clock.sleep(until: latest, tolerance: nil)
    }
  }

  /// The longest sleep: the standard clocks trap at times that are too far away, and a request may
  /// have a timeout of `.seconds(Int64.max)`.
  private static var century: Duration { .seconds(100 * 365 * 24 * 3_600) }
}
