/// The failure of a run, with its seed.
public struct ExplorationFailure: Error, CustomStringConvertible {
  /// Why a run failed.
  public enum Reason: Sendable {
    /// The scenario threw this error.
    case threw(any Error)
    /// An expectation inside the scenario recorded an issue, first at this file and line; `nil` where no place is known.
    case issue(at: String?)
    /// No job is ready and no task sleeps, but the scenario has not returned.
    ///
    /// The strings say what probes, clocks and recorders wait for.
    case stalled(waiting: [String])
    /// The scenario was still running after this many jobs.
    case tooManyJobs(Int)
    /// No run had a choice, so nothing was explored.
    case noChoice
    /// The run had jobs or tasks that the exploration does not control.
    case foreignWork(ExplorationAccount)
    /// The scenario has returned, and so many of its tasks still wait.
    case leftTasks(Int)
    /// The same seed went another way when it was run again, in these words.
    case differs(String)
    /// The runs passed, but used what the kit has not found in this process, as these words say.
    case lacks([String])
    /// No run has met these conditions of ``sometimes(_:_:)``.
    case never([String])

    /// Runs of one kind fail in the same way: by the case, the type and the first words of the error, the place of the issue.
    var kind: String {
      switch self {
      case .threw(let error):
        "threw \(type(of: error)): \("\(error)".prefix { $0.isLetter || $0 == " " })"
      case .issue(let place): "issue \(place ?? "")"
      default: Mirror(reflecting: self).children.first?.label ?? "\(self)"
      }
    }
  }

  /// The seed that replays the run.
  public let seed: UInt64
  /// The reason.
  public let reason: Reason
  /// The choices of the run, up to the failure.
  public let trace: ExplorationTrace

  /// A line that names the seed, the reason, and the variable that replays the run.
  public var description: String {
    switch reason {
    case .noChoice, .never, .lacks: what
    case .foreignWork, .differs: "seed \(seed) \(what)"
    default:
      "seed \(seed) \(what) after \(counted(trace.jobs, "job")); EXPLORE_SEED=\(seed) replays it"
    }
  }

  /// Whether the failure is one of a single schedule, which a report can show.
  var isExplainable: Bool {
    switch reason {
    case .threw, .issue, .stalled, .tooManyJobs, .leftTasks: true
    case .noChoice, .foreignWork, .never, .differs, .lacks: false
    }
  }

  /// The reason in words that continue a sentence on the run.
  var what: String {
    switch reason {
    case .threw(let error): return "threw \(error)"
    case .issue: return "recorded an issue"
    case .stalled(let waiting):
      let list = waiting.isEmpty ? "" : " (waiting: \(waiting.joined(separator: "; ")))"
      return "stalled: nothing is ready and the scenario has not returned\(list)"
    case .tooManyJobs(let limit): return "did not end within its limit of \(limit) jobs: stopped"
    case .leftTasks(let count):
      return "left \(counted(count, "task")) behind, waiting for ever or asleep"
    case .differs(let place):
      return """
        went otherwise when it was run again: \(place). Something in it does not follow the seed
        """
    case .noChoice:
      return """
        no run ever had a choice: there is one schedule, and nothing was explored. \
        If that is meant, say so: allowing: [.noChoice]
        """
    case .lacks(let seams):
      return """
        no run failed, but that proves nothing, because tasks slept, and what they sleep by is missing in this process: \
        \(seams.joined(separator: "; ")). If that is meant, say so: allowing: [.missingSeams]
        """
    case .never(let names):
      return "no run was seen in which: \(names.joined(separator: "; "))"
    case .foreignWork(let account):
      return """
        had foreign work, whose moment is not the seed's: \(account.foreignWork). \
        If that is meant, say so: allowing: [.foreignWork]
        """
    }
  }
}

/// A number of things in words.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
