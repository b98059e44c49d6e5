/// What an exploration may be without being reported as a failure.
///
/// ```swift
/// await explore(seeds: 100, allowing: [.foreignWork]) { … }     // calls an actor with a queue of its own
/// ```
public struct ExplorationAllowances: OptionSet, Sendable {
  /// One bit for each.
  public let rawValue: Int

  /// Creates a set of allowances.
  ///
  /// - Parameter rawValue: One bit for each.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No run had a choice: there was one schedule, and nothing to explore.
  public static let noChoice = ExplorationAllowances(rawValue: 1)
  /// A run waited for, or took jobs from, code that the exploration does not own.
  public static let foreignWork = ExplorationAllowances(rawValue: 2)
}
