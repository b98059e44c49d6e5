/// A clock of any type, with instants expressed as durations since the creation of the timeline.
package struct Timeline: Sendable {
  package let now: @Sendable () -> Duration
  /// Suspends until an instant; throws if the task is cancelled or the clock throws.
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  /// Creates a timeline whose zero is the clock's current instant.
  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { until in
      // Sleep in steps of twelve days, because a clock with 32-bit instants may not support longer sleeps.
      while case let rest = until - start.duration(to: clock.now), rest > .zero {
        // A clock may return from `sleep` early, and a cancelled `sleep` may return without an error.
        try Task.checkCancellation()
        let step = clock.now.advanced(by: min(rest, .seconds(1 << 20)))
        try await clock.sleep(until: step, tolerance: nil)
      }
      try Task.checkCancellation()
    }
  }
}

extension Duration {
  /// This duration, limited to the range that every clock can wait for: from zero to a century.
  package var waitable: Duration { min(max(self, .zero), .seconds(100 * 365 * 24 * 3_600)) }
}
