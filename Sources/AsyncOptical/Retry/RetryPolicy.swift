/// How often a failed operation is tried again, and after what time.
///
/// ```swift
/// let policy = RetryPolicy.exponential(attempts: 4, from: .milliseconds(200), limit: .seconds(2))
/// await commit(from: request, retrying: policy) { [service] in try await service.titles() }
/// ```
public struct RetryPolicy: Sendable {
  /// How often the operation is tried in all; at least 1.
  public let attempts: Int

  let delay: @Sendable (_ failures: Int) -> Duration
  let isRetried: @Sendable (any Error) -> Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: How often the operation is tried in all; at least 1.
  ///   - isRetried: Whether trying again may help after an error.
  ///   - delay: How long to wait after this many failures.
  public init(
    attempts: Int, where isRetried: @escaping @Sendable (any Error) -> Bool = { _ in true },
    delay: @escaping @Sendable (_ failures: Int) -> Duration
  ) {
    precondition(attempts >= 1, "RetryPolicy(attempts:): needs one attempt; got \(attempts)")
    self.attempts = attempts
    self.isRetried = isRetried
    self.delay = delay
  }

  /// One attempt.
  public static let never = RetryPolicy(attempts: 1) { _ in .zero }

  /// Waits twice as long after each failure.
  ///
  /// - Parameters:
  ///   - attempts: How often the operation is tried in all; at least 1.
  ///   - first: How long to wait after the first failure.
  ///   - limit: The longest wait.
  ///   - isRetried: Whether trying again may help after an error.
  /// - Returns: The policy.
  public static func exponential(
    attempts: Int, from first: Duration = .milliseconds(100), limit: Duration = .seconds(10),
    where isRetried: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> RetryPolicy {
    RetryPolicy(attempts: attempts, where: isRetried) { failures in
      min(limit, first * (1 << min(failures - 1, 30)))
    }
  }
}

/// An attempt took longer than it may.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
  /// How long it might have taken.
  public let limit: Duration

  /// Creates the error.
  ///
  /// - Parameter limit: How long the attempt might have taken.
  public init(limit: Duration) { self.limit = limit }

  /// What happened, for the user to read.
  public var description: String { "no answer within \(limit)" }
}
