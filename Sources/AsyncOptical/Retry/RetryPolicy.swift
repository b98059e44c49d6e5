/// Decides how many times a failed operation is repeated, and after which delays.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first one.
  public let attempts: Int

  let delay: @Sendable (_ failures: Int, _ error: any Error) -> Duration
  let isRetried: @Sendable (any Error) -> Bool

  /// Creates a policy with a delay for each failure.
  ///
  /// Traps if `attempts` is less than 1.
  ///
  /// ```swift
  /// let policy = RetryPolicy(attempts: 4) { failures, error in
  ///   (error as? Busy)?.retryAfter ?? .milliseconds(200) * failures
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, including the first one.
  ///   - isRetried: Returns whether to try again after an error.
  ///   - delay: Returns the delay before the next attempt. It receives the number of failures so far, which
  ///     is at least 1, and the last error. A negative delay counts as zero.
  public init(
    attempts: Int, where isRetried: @escaping @Sendable (any Error) -> Bool = { _ in true },
    delay: @escaping @Sendable (_ failures: Int, _ error: any Error) -> Duration
  ) {
    precondition(
      attempts >= 1, "RetryPolicy(attempts:): needs at least 1 attempt; got \(attempts)")
    self.attempts = attempts
    self.isRetried = isRetried
    self.delay = delay
  }

  /// A policy that makes one attempt and never repeats it.
  public static let never = RetryPolicy(attempts: 1) { _, _ in .zero }

  /// Returns a policy whose delay doubles after each failure, from `first` up to `limit`.
  ///
  /// A negative `first` or `limit` counts as zero. Traps if `attempts` is less than 1.
  public static func exponential(
    attempts: Int, from first: Duration = .milliseconds(100), limit: Duration = .seconds(10),
    where isRetried: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> RetryPolicy {
    RetryPolicy(attempts: attempts, where: isRetried) { failures, _ in
      var (delay, doublings) = (max(first, .zero), failures - 1)
      // The loop runs at most 127 times, because a duration is a 128-bit number of attoseconds.
      while doublings > 0, delay > .zero, delay < limit {
        delay = delay <= limit / 2 ? delay * 2 : limit
        doublings -= 1
      }
      return min(delay, max(limit, .zero))
    }
  }
}

/// The error thrown when an attempt takes longer than its timeout.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
  /// The timeout of the attempt.
  public let limit: Duration

  /// Creates the error.
  public init(limit: Duration) { self.limit = limit }

  /// A message for the user.
  public var description: String { "no response within \(limit)" }
}
