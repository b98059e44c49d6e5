/// The choices of one run.
///
/// Two runs with equal traces made the same choices.
///
/// ```swift
/// let first = await Exploration().run(seed: 7, scenario)
/// let second = await Exploration().run(seed: 7, scenario)
/// #expect(first.trace == second.trace)
/// ```
public struct ExplorationTrace: Hashable, Sendable {
  /// One choice among the ready jobs, or among the options of `choose` or `fault`.
  public struct Choice: Hashable, Sendable {
    /// The index of the chosen job or option.
    public let index: Int
    /// The number of ready jobs or options.
    public let count: Int
  }

  /// Each choice of the next job, in order.
  public internal(set) var choices: [Choice] = []

  /// Each decision of `choose` and `fault`, in order.
  public internal(set) var chances: [Choice] = []

  /// Describes where the trace of a second run starts to differ; `nil` if both traces are equal.
  func difference(to other: ExplorationTrace) -> String? {
    func first(
      _ kind: String, _ option: String, _ own: [Choice], _ others: [Choice]
    ) -> String? {
      let count = zip(own, others).prefix { $0 == $1 }.count
      func words(_ list: [Choice]) -> String {
        list.dropFirst(count).first.map { "chose \(option) \($0.index + 1) of \($0.count)" }
          ?? "made no such choice"
      }
      let isSame = count == own.count && count == others.count
      guard !isSame else { return nil }
      return "in choice \(count + 1) of \(kind), the first run \(words(own)), "
        + "and the second run \(words(others))"
    }
    return first("choose or fault", "option", chances, other.chances)
      ?? first("the next job", "job", choices, other.choices)
  }

  /// The number of jobs that ran.
  public var jobs: Int { choices.count }
}
