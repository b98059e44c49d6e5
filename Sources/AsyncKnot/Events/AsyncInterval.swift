/// Ticks at a steady pace, numbered from zero.
///
/// ```swift
/// for await tick in AsyncInterval(every: .milliseconds(100), after: .seconds(1)) { print(tick) }
/// ```
///
/// Deadlines are multiples of the interval from the start, so the pace does not drift. A consumer
/// that misses deadlines continues with the next one; the ticks are numbered without gaps. Each
/// iterator starts anew, with its first `next()`. A cancelled task receives `nil`.
public struct AsyncInterval<C: Clock>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Int
  /// It never fails.
  public typealias Failure = Never

  let interval: C.Duration
  let delay: C.Duration
  let clock: C

  /// Creates an interval.
  ///
  /// Traps if `interval` is not positive or `delay` is negative.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks, in the clock's duration.
  ///   - delay: The time before the first tick; by default one interval.
  ///   - clock: The clock to wait on.
  public init(
    every interval: C.Duration, after delay: C.Duration? = nil, clock: C = ContinuousClock()
  ) {
    precondition(
      interval > .zero, "AsyncInterval(every:): needs a positive interval; got \(interval)")
    let delay = delay ?? interval
    precondition(
      delay >= .zero, "AsyncInterval(after:): needs a delay that is not negative; got \(delay)")
    self.interval = interval
    self.delay = delay
    self.clock = clock
  }

  /// Makes an iterator that starts with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(interval: interval, delay: delay, clock: clock)
  }

  /// Counts the ticks.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let interval: C.Duration
    let delay: C.Duration
    let clock: C
    private var deadline: C.Instant?
    private var tick = 0

    init(interval: C.Duration, delay: C.Duration, clock: C) {
      self.interval = interval
      self.delay = delay
      self.clock = clock
    }

    /// Waits for the next tick.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The number of the tick; `nil` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      let deadline = self.deadline.map(following) ?? clock.now.advanced(by: delay)
      self.deadline = deadline
      do {
        try await clock.sleepForACentury(orUntil: deadline)
      } catch {
        return nil
      }
      // It may have been cancelled after the deadline, while this task waited for its isolation.
      guard !Task.isCancelled else { return nil }
      defer { tick += 1 }
      return tick
    }

    /// Waits for the next tick.
    nonisolated(nonsending) public mutating func next() async -> Int? {
      await next(isolation: #isolation)
    }

    /// The next deadline; deadlines that are over are skipped.
    private func following(_ deadline: C.Instant) -> C.Instant {
      let next = deadline.advanced(by: interval)
      let now = clock.now
      guard next < now else { return next }
      return next.advanced(by: interval * intervals(in: next.duration(to: now)))
    }

    /// The number of intervals that reach at least a distance, exactly.
    ///
    /// Durations of any clock can only be divided as floating point, so the quotient is an
    /// estimate, which comparisons correct. A count beyond `Int` is cut off; the deadlines after it
    /// catch up.
    private func intervals(in distance: C.Duration) -> Int {
      var count = 0
      var rest = distance
      while rest >= interval {
        let estimate = (rest / interval).rounded(.down)
        let step = Swift.max(1, estimate < 0x1p62 ? Int(estimate) : 1 << 62)
        guard step <= Int.max - 1 - count else { return Int.max }
        count += step
        rest -= interval * step
      }
      while rest > .zero {
        count += 1
        rest -= interval
      }
      while rest + interval <= .zero {
        count -= 1
        rest += interval
      }
      return count
    }
  }
}

@available(*, unavailable)
extension AsyncInterval.AsyncIterator: Sendable {}
