/// Ticks at a steady pace, numbered from zero.
///
/// By default the first tick comes after one interval.
///
/// ```swift
/// for await tick in AsyncInterval(every: .milliseconds(100), after: .seconds(1)) { print(tick) }
/// ```
/// Pass `after:` to change the delay before the first tick; with `.zero`, the first tick comes immediately. Each later tick is
/// due a whole number of intervals after the first one, so the pace does not drift. A slow consumer skips the times that have
/// passed, but the tick numbers have no gaps. Each iterator counts its own ticks, and its time starts with its first `next()`. A
/// cancelled task receives `nil`.
public struct AsyncInterval: AsyncSequence, Sendable {
  let interval: Duration
  let delay: Duration
  let clock: any Clock<Duration>

  /// Creates an interval.
  ///
  /// Traps if `interval` is not positive or `delay` is negative.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks. An interval of more than a century counts as a century.
  ///   - delay: The time before the first tick; by default one interval.
  ///   - clock: The clock that measures the time.
  public init(
    every interval: Duration, after delay: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    precondition(
      interval > .zero, "AsyncInterval(every:): needs an interval above 0; got \(interval)")
    let delay = delay ?? interval
    precondition(
      delay >= .zero, "AsyncInterval(after:): needs a delay of at least 0; got \(delay)")
    self.interval = interval.waitable
    self.delay = delay.waitable
    self.clock = clock
  }

  /// Creates an iterator whose time starts with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: self) }

  /// An iterator that waits for each tick and returns its number.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let interval: Duration
    private let timeline: Timeline
    private let delay: Duration
    private var deadline: Duration?
    private var tick = 0

    init(of ticks: AsyncInterval) {
      (interval, delay, timeline) = (ticks.interval, ticks.delay, Timeline(ticks.clock))
    }

    /// Waits for the next tick and returns its number, or `nil` if the task is cancelled or the clock throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      let deadline = nextDeadline()
      self.deadline = deadline
      do { try await timeline.sleep(deadline) } catch { return nil }
      // The task may have been cancelled after the deadline, while it waited for its isolation.
      guard !Task.isCancelled else { return nil }
      defer { tick += 1 }
      return tick
    }

    /// Waits for the next tick and returns its number, or `nil` if the task is cancelled or the clock throws.
    nonisolated(nonsending) public mutating func next() async -> Int? {
      await next(isolation: #isolation)
    }

    /// Returns the first deadline that has not passed and is at least one interval after the previous one.
    private func nextDeadline() -> Duration {
      guard let deadline else { return timeline.now() + delay }
      let (late, step) = ((timeline.now() - deadline).attoseconds, interval.attoseconds)
      return deadline + Duration(attoseconds: step * Swift.max(1, (late + step - 1) / step))
    }
  }
}

@available(*, unavailable)
extension AsyncInterval.AsyncIterator: Sendable {}
