/// Properties of an exploration that fail the test unless the test allows them.
///
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

  /// No run may have had a choice: there is one schedule, and nothing was explored.
  public static let noChoice = ExplorationAllowances(rawValue: 1)
  /// A run may wait for, and take jobs from, code that the exploration does not control.
  public static let foreignWork = ExplorationAllowances(rawValue: 2)
}
