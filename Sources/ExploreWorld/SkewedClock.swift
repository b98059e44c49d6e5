public import ExploreTesting

/// A clock that is wrong: it is ahead or behind, and runs faster or slower than others.
///
/// ```swift
/// let lease = Lease(clock: SkewedClock())  // each process has one of its own
/// ```
/// In an exploration the seed chooses by how much, if the caller does not; elsewhere the clock is right. It may be used from any
/// isolation.
public struct SkewedClock: Clock {
  /// A moment on the standard library's clock, as this one shows it.
  public typealias Instant = ContinuousClock.Instant

  private let origin = ContinuousClock.now
  private let offset: Duration
  private let rate: Double

  /// Creates a clock; traps if it would stand still.
  ///
  /// - Parameters:
  ///   - offset: How far it is ahead when it is made.
  ///   - rate: How many seconds it shows for a second; more than zero.
  public init(
    offset: Duration = choose(
      "skew", from: [.zero, .milliseconds(20), .seconds(5), .milliseconds(-20), .seconds(-5)]),
    rate: Double = choose("rate of the clock", from: [1, 1.01, 1.5, 0.99, 0.5])
  ) {
    precondition(rate > 0, "SkewedClock(rate:): needs a rate above zero; got \(rate)")
    self.offset = offset
    self.rate = rate
  }

  /// The moment that the clock shows.
  public var now: Instant { origin + offset + (ContinuousClock.now - origin) * rate }

  /// The smallest step of the clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Suspends until the clock shows the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wake at.
  ///   - tolerance: How much later it may be, in seconds of this clock.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await Task.sleep(
      for: max((deadline - now) / rate, .zero), tolerance: tolerance.map { $0 / rate })
  }
}
