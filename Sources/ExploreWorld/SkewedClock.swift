public import ExploreTesting

/// A clock that can be wrong: ahead of or behind other clocks, and faster or slower than they are.
///
/// ```swift
/// let lease = Lease(clock: SkewedClock())  // each process has its own
/// ```
/// In an exploration, the seed chooses the offset and the rate unless you pass them. Outside an exploration, the clock is correct
/// by default. You can use it from any isolation.
public struct SkewedClock: Clock {
  /// A moment of the standard library's clock, as this clock shows it.
  public typealias Instant = ContinuousClock.Instant

  private let origin = ContinuousClock.now
  private let offset: Duration
  private let rate: Double

  /// Creates a clock; traps unless `rate` is finite and greater than zero.
  ///
  /// - Parameters:
  ///   - offset: How far ahead the clock is at the start.
  ///   - rate: How many seconds the clock advances in one second; finite and greater than zero.
  public init(
    offset: Duration = choose(
      "skew", from: [.zero, .milliseconds(20), .seconds(5), .milliseconds(-20), .seconds(-5)]),
    rate: Double = choose("rate of the clock", from: [1, 1.01, 1.5, 0.99, 0.5])
  ) {
    precondition(
      rate > 0 && rate.isFinite, "SkewedClock(rate:): needs a finite rate above 0; got \(rate)")
    self.offset = offset
    self.rate = rate
  }

  /// The current moment of the clock.
  public var now: Instant { origin + offset + (ContinuousClock.now - origin) * rate }

  /// The smallest step of the clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution * rate }

  /// Suspends until the clock shows the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wake at.
  ///   - tolerance: How much later the task may wake, measured by this clock.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    // The division rounds, and the seed may shorten a sleep, so the clock may not reach the deadline in one sleep.
    repeat {
      let duration = deadline > now ? max((deadline - now) / rate, .nanoseconds(1)) : .zero
      try await Task.sleep(for: duration, tolerance: tolerance.map { $0 / rate })
    } while now < deadline
  }
}
