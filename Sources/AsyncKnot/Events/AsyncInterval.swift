/// Ticks at a steady pace, numbered from zero; the first tick comes after one interval.
///
/// ```swift
/// for await tick in AsyncInterval(every: .milliseconds(100), after: .seconds(1)) { print(tick) }
/// ```
/// It waits before the first tick: `after: .zero` ticks at once. Deadlines are multiples of the
/// interval from the start, so the pace does not drift. A consumer that misses deadlines continues with
/// the next one; the ticks are numbered without gaps. Each iterator starts anew, with its first
/// `next()`. A cancelled task receives `nil`.
public struct AsyncInterval: AsyncSequence, Sendable {
  let interval: Duration
  let delay: Duration
  let clock: any Clock<Duration>

  /// Creates an interval; traps if `interval` is not positive or `delay` is negative.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks; more than a century counts as a century.
  ///   - delay: The time before the first tick; by default one interval.
  ///   - clock: The clock to wait on.
  public init(
    every interval: Duration, after delay: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    precondition(
      interval > .zero, "AsyncInterval(every:): needs a positive interval; got \(interval)")
    let delay = delay ?? interval
    precondition(
      delay >= .zero, "AsyncInterval(after:): needs a delay that is not negative; got \(delay)")
    self.interval = interval.waitable
    self.delay = delay.waitable
    self.clock = clock
  }

  /// Makes an iterator that starts with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: self) }

  /// Counts the ticks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let interval: Duration
    private let timeline: Timeline
    private let delay: Duration
    private var deadline: Duration?
    private var tick = 0

    init(of ticks: AsyncInterval) {
      (interval, delay, timeline) = (ticks.interval, ticks.delay, Timeline(ticks.clock))
    }

    /// Waits for the next tick; returns its number, or `nil` when the task is cancelled or the clock
    /// fails.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      let deadline = nextDeadline()
      self.deadline = deadline
      do { try await timeline.sleep(deadline) } catch { return nil }
      // It may have been cancelled after the deadline, while this task waited for its isolation.
      guard !Task.isCancelled else { return nil }
      defer { tick += 1 }
      return tick
    }

    /// Waits for the next tick.
    nonisolated(nonsending) public mutating func next() async -> Int? {
      await next(isolation: #isolation)
    }

    /// One interval after the last deadline, or more: those that are over are skipped.
    private func nextDeadline() -> Duration {
      guard let deadline else { return timeline.now() + delay }
      let (late, step) = ((timeline.now() - deadline).attoseconds, interval.attoseconds)
      return deadline + Duration(attoseconds: step * Swift.max(1, (late + step - 1) / step))
    }
  }
}

@available(*, unavailable)
extension AsyncInterval.AsyncIterator: Sendable {}

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
