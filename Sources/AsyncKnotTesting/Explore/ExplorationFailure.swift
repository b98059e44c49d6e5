/// What went wrong in a run, and with which seed.
public struct ExplorationFailure: Error, CustomStringConvertible {
  /// Why a run failed.
  public enum Reason: Sendable {
    /// The scenario threw this error.
    case threw(any Error)
    /// An expectation inside the scenario recorded an issue.
    case issue
    /// Nothing is ready and no time is pending, but the scenario has not returned.
    ///
    /// The value tells what the probes were waiting for.
    case stalled(waiting: [String])
    /// The scenario was still running after this many jobs.
    case tooManyJobs(Int)
    /// No run had a choice, so nothing was explored.
    case noChoice
    /// The run waited for, or took jobs from, code that the exploration does not own.
    case foreignWork(RunAccount)
    /// No run has met these conditions, which ``sometimes(_:_:)`` demands of some run.
    case never([String])

    /// What a run has in common with another one that fails as it does.
    var kind: Int {
      switch self {
      case .threw: 0
      case .issue: 1
      case .stalled: 2
      case .tooManyJobs: 3
      case .noChoice: 4
      case .foreignWork: 5
      case .never: 6
      }
    }
  }

  /// The seed that replays the run.
  public let seed: UInt64
  /// Why it failed.
  public let reason: Reason
  /// What was chosen up to then.
  public let trace: ExplorationTrace

  /// One line that names the seed, the reason and how to replay the run.
  public var description: String {
    switch reason {
    case .noChoice, .never: what
    case .foreignWork: "seed \(seed) \(what)"
    default: "seed \(seed) \(what) after \(trace.jobs) jobs; EXPLORE_SEED=\(seed) replays it"
    }
  }

  /// Whether a schedule makes it happen.
  var isExplainable: Bool {
    switch reason {
    case .threw, .issue, .stalled, .tooManyJobs: true
    case .noChoice, .foreignWork, .never: false
    }
  }

  /// What happened, as a part of a sentence.
  var what: String {
    switch reason {
    case .threw(let error): return "threw \(error)"
    case .issue: return "recorded an issue"
    case .stalled(let waiting):
      let list = waiting.isEmpty ? "no probe" : waiting.joined(separator: "; ")
      return "stalled: nothing is ready and the scenario has not returned; waiting: \(list);"
    case .tooManyJobs(let limit): return "did not end within its limit of \(limit) jobs: stopped"
    case .noChoice:
      return """
        no run ever had a choice: there is one schedule, and nothing was explored. \
        If that is meant, say so: allowing: [.noChoice]
        """
    case .never(let names):
      return "no run was seen in which: \(names.joined(separator: "; "))"
    case .foreignWork(let account):
      return """
        had foreign work, whose moment is not the seed's: \(account.foreignWork). \
        If that is meant, say so: allowing: [.foreignWork]\(Control.message.map { "\n" + $0 } ?? "")
        """
    }
  }
}
