internal import Synchronization

/// Runs the end of a scenario, in which no fault comes: what must hold once the world is well again is checked here.
///
/// ```swift
/// await calm {
///   await account.deposit(1)
///   #expect(await account.balance == 1)
/// }
/// ```
/// From the call on, also after it, `fault` says no in this run. What has happened before stays: what is lost is lost. Outside of
/// an exploration the call runs `body`, and nothing else.
///
/// - Parameter body: The end, on the isolation of the caller.
/// - Returns: The result of `body`.
/// - Throws: What `body` throws.
nonisolated(nonsending)
  public func calm<Result>(_ body: () async throws -> Result) async rethrows -> Result
{
  Explorer.current?.state.withLock { $0.schedule.isCalm = true }
  return try await body()
}

extension Exploration {
  /// Whether no fault comes any more in the run that the current code belongs to, as ``calm(_:)`` says.
  public static var isCalm: Bool {
    Explorer.current?.state.withLock { $0.schedule.isCalm } ?? false
  }

  /// Sets what the wall clock of the run shows now; from then on it moves with the clocks of the run.
  ///
  /// ```swift
  /// await explore {
  ///   Exploration.setDate(secondsSince1970: 1_709_164_799)  // a second before the 29th of February
  ///   try await Task.sleep(for: .seconds(1))
  ///   #expect(await account.balance == 0)
  /// }
  /// ```
  /// A run begins with 2026. `Date()` and C's `gettimeofday` show this date, on Linux. Outside of an exploration the call
  /// does nothing. It may be made from any isolation.
  ///
  /// - Parameter seconds: Whole seconds since the beginning of 1970, UTC.
  public static func setDate(secondsSince1970 seconds: Int) {
    guard let explorer = Explorer.current else { return }
    let now = explorer.state.withLock { $0.timers.now } + Explorer.start
    explorer.run.setDate(Int64(seconds) - now.components.seconds)
  }
}
