/// The choices of one run: two runs with equal traces went the same way.
///
/// ```swift
/// let first = await Exploration().run(seed: 7, scenario)
/// let second = await Exploration().run(seed: 7, scenario)
/// #expect(first.trace == second.trace)
/// ```
public struct ExplorationTrace: Hashable, Sendable, CustomStringConvertible {
  /// One choice among the jobs that were ready.
  public struct Choice: Hashable, Sendable {
    /// The index of the job that ran, among those ready.
    public let index: Int
    /// How many jobs were ready.
    public let count: Int
  }

  private var packed: [UInt64] = []

  /// The number of jobs that ran.
  public var jobs: Int { packed.count }

  /// All choices, in order.
  public var choices: [Choice] {
    packed.map {
      Choice(index: Int(truncatingIfNeeded: $0 >> 32), count: Int(UInt32(truncatingIfNeeded: $0)))
    }
  }

  mutating func append(choice index: Int, of count: Int) {
    packed.append(UInt64(index) << 32 | UInt64(UInt32(truncatingIfNeeded: count)))
  }

  /// The last choices, as `index/count`.
  public var description: String {
    let shown = choices.suffix(16).map { "\($0.index)/\($0.count)" }.joined(separator: " ")
    return "\(jobs) jobs: " + (jobs > 16 ? "… " : "") + shown
  }
}
