/// The choices of one run: two runs with equal traces went the same way.
///
/// ```swift
/// let first = await Exploration().run(seed: 7, scenario)
/// let second = await Exploration().run(seed: 7, scenario)
/// #expect(first.trace == second.trace)
/// ```
public struct ExplorationTrace: Hashable, Sendable {
  /// One choice among the jobs that were ready.
  public struct Choice: Hashable, Sendable {
    /// The index of the job that ran, among those ready.
    public let index: Int
    /// How many jobs were ready.
    public let count: Int
  }

  /// All choices, in order.
  public internal(set) var choices: [Choice] = []

  /// The number of jobs that ran.
  public var jobs: Int { choices.count }
}
