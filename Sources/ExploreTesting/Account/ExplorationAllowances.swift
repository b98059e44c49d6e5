/// Properties of an exploration that fail the test unless the test allows them.
///
/// <!-- sample: actor LogFile { func write(_ line: String) {} } -->
/// ```swift
/// await explore(seeds: 100, allowing: [.foreignWork]) {
///   let log = LogFile()  // an actor with an executor of its own
///   async let first: Void = log.write("started")
///   async let second: Void = log.write("ready")
///   _ = await (first, second)
/// }
/// ```
public struct ExplorationAllowances: OptionSet, Sendable {
  /// The set as bits, one bit for each allowance.
  public let rawValue: Int

  /// Creates a set of allowances.
  ///
  /// - Parameter rawValue: The set as bits, one bit for each allowance.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Allows that no run has a choice, because the scenario has only one schedule.
  public static let noChoice = ExplorationAllowances(rawValue: 1)
  /// Allows that a run waits for code that the exploration does not control, and takes jobs from it.
  public static let foreignWork = ExplorationAllowances(rawValue: 2)
  /// Allows that runs use what the kit has not found in this process, as sleeps where the clocks show real time.
  public static let missingSeams = ExplorationAllowances(rawValue: 4)
}
