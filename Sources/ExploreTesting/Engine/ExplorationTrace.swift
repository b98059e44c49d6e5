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

  /// All choices of a job, in order.
  public internal(set) var choices: [Choice] = []

  /// What `choose` and `fault` decided, in order.
  public internal(set) var chances: [Choice] = []

  /// Where another trace begins to differ, in words; `nil` for an equal one.
  func difference(to other: ExplorationTrace) -> String? {
    func first(_ name: String, _ own: [Choice], _ others: [Choice]) -> String? {
      let count = zip(own, others).prefix { $0 == $1 }.count
      func words(_ list: [Choice]) -> String {
        list.dropFirst(count).first.map { "number \($0.index + 1) of \($0.count)" } ?? "not there"
      }
      let isSame = count == own.count && count == others.count
      return isSame ? nil : "its \(name) \(count + 1) was \(words(own)), and then \(words(others))"
    }
    return first("chance", chances, other.chances) ?? first("job", choices, other.choices)
  }

  /// The number of jobs that ran.
  public var jobs: Int { choices.count }
}
