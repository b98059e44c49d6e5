/// Conditions that fail an exploration unless the test allows them.
///
/// <!-- sample: actor LogFile { func write(_ line: String) {} } -->
/// ```swift
/// await explore(seeds: 100, allowing: [.foreignWork]) {
///   let log = LogFile()  // an actor with its own executor
///   async let first: Void = log.write("started")
///   async let second: Void = log.write("ready")
///   _ = await (first, second)
/// }
/// ```
public struct ExplorationAllowances: OptionSet, Sendable {
  /// One bit for each allowance.
  public let rawValue: Int

  /// Creates a set from its bits.
  ///
  /// - Parameter rawValue: One bit for each allowance.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Allows a scenario in which no run has a choice, because there is only one schedule.
  public static let noChoice = ExplorationAllowances(rawValue: 1)
  /// Allows a run to wait for code that the exploration does not control, and to run jobs that such code sends.
  public static let foreignWork = ExplorationAllowances(rawValue: 2)
  /// Allows a run to use features that the kit does not control in this process, such as clocks that show real time.
  public static let missingSeams = ExplorationAllowances(rawValue: 4)
}
