extension Clock {
  /// Suspends until a deadline, at most for a century; throws when the task is cancelled.
  ///
  /// The standard clocks trap at deadlines that are too far away, and a time of
  /// `.seconds(Int64.max)` is a natural way to say "never".
  package func sleepForACentury(orUntil deadline: Instant) async throws {
    let century = Swift.Duration.seconds(100 * 365 * 24 * 3_600) as? Duration
    let latest = century.map { min(deadline, now.advanced(by: $0)) }
    try await sleep(until: latest ?? deadline, tolerance: nil)
  }
}
