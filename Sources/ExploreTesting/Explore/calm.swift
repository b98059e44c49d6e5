internal import Synchronization

/// Ends the faults of this run for good, and runs the last part of the scenario.
///
/// ```swift
/// await calm {
///   await account.deposit(1)
///   #expect(await account.balance == 1)
/// }
/// ```
/// Use this function to check what must hold once the faults have stopped. After the call begins, `fault` returns `false` for the
/// rest of the run, even after `body` has returned, so call this function at the end of the scenario. Earlier faults keep their
/// effect: lost data stays lost. Outside an exploration the call only runs `body`.
///
/// - Parameter body: The last part of the scenario; it runs on the caller's isolation.
/// - Returns: The result of `body`.
/// - Throws: The error that `body` throws.
@discardableResult
nonisolated(nonsending)
  public func calm<Result>(_ body: () async throws -> Result) async rethrows -> Result
{
  Explorer.current?.state.withLock { $0.schedule.isCalm = true }
  return try await body()
}

extension Exploration {
  /// Whether ``calm(_:)`` was called in the run that the current code belongs to.
  public static var isCalm: Bool {
    Explorer.current?.state.withLock { $0.schedule.isCalm } ?? false
  }

  /// Sets the date that the wall clock of the run shows now.
  ///
  /// Afterward the wall clock advances with the run's other clocks.
  ///
  /// ```swift
  /// await explore(seeds: 1, allowing: [.noChoice]) {
  ///   Exploration.setDate(secondsSince1970: 1_709_164_799)  // a second before the 29th of February
  ///   try await Task.sleep(for: .seconds(1))
  ///   #expect(await account.balance == 0)
  /// }
  /// ```
  /// A run starts on January 1, 2026. On Linux, `Date()` and C's `gettimeofday` show the date of the run. Outside an exploration
  /// the call does nothing. You can call it from any isolation.
  ///
  /// - Parameter seconds: Whole seconds since the beginning of 1970, UTC.
  public static func setDate(secondsSince1970 seconds: Int) {
    guard let explorer = Explorer.current else { return }
    let now = explorer.state.withLock { $0.timers.now } + Explorer.start
    explorer.run.setDate(.seconds(seconds) - now)
  }
}
