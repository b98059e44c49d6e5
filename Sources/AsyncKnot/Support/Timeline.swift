/// A clock of any type, whose instants are durations since a start.
package struct Timeline: Sendable {
  /// The time since the start.
  package let now: @Sendable () -> Duration
  /// Suspends until a time since the start; throws when the task is cancelled, or the clock fails.
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  /// Creates a timeline that starts now.
  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { until in
      // In steps of twelve days: the clock may have instants of 32 bits, and not reach further.
      while case let rest = until - start.duration(to: clock.now), rest > .zero {
        let step = clock.now.advanced(by: min(rest, .seconds(1 << 20)))
        try await clock.sleep(until: step, tolerance: nil)
      }
      try Task.checkCancellation()
    }
  }
}

extension Duration {
  /// The time as one that can be waited for: a negative one is over, and none is beyond a century.
  package var waitable: Duration { min(max(self, .zero), .seconds(100 * 365 * 24 * 3_600)) }
}
