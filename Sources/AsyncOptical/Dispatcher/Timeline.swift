internal import AsyncKnot
internal import Synchronization

/// A clock of any type, whose instants are durations since a start.
struct Timeline: Sendable {
  /// The time since the start.
  let now: @Sendable () -> Duration
  /// Suspends until a time since the start; throws when the task is cancelled, or the clock fails.
  let sleep: @Sendable (_ until: Duration) async throws -> Void
  /// The times until which attempts wait.
  let alarms: Alarms

  /// Creates a timeline; traps if the clock is none, or measures no `Duration`.
  init(_ clock: Any, of holder: Any.Type) {
    guard let clock = clock as? any Clock<Duration> else {
      fatalError(
        "\(holder).clock: needs a clock whose durations are Duration; got \(type(of: clock))")
    }
    self.init(clock)
  }

  private init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    let sleep: @Sendable (Duration) async throws -> Void = { until in
      // In steps of twelve days: the clock may have instants of 32 bits, and not reach further.
      while case let rest = until - start.duration(to: clock.now), rest > .zero {
        let step = clock.now.advanced(by: min(rest, .seconds(1 << 20)))
        try await clock.sleep(until: step, tolerance: nil)
      }
      try Task.checkCancellation()
    }
    (self.sleep, alarms) = (sleep, Alarms(sleep))
  }
}

extension Duration {
  /// The time as one that can be waited for: a negative one is over, and none is beyond a century.
  var waitable: Duration { min(max(self, .zero), .seconds(100 * 365 * 24 * 3_600)) }
}

extension Desk {
  /// The time on the holder's clock.
  @usableFromInline
  func now(of holder: Holder) -> Duration { timeline(of: holder).now() }

  /// The holder's clock as a timeline; the clock is read once.
  func timeline(of holder: Holder) -> Timeline {
    if let timeline = timeline.withLock({ $0 }) { return timeline }
    let timeline = Timeline(holder.clock, of: Holder.self)
    self.timeline.withLock { $0 = timeline }
    return timeline
  }
}
