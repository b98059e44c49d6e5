/// The failure of a run, with its seed.
public struct ExplorationFailure: Error, CustomStringConvertible {
  /// Why a run failed.
  public enum Reason: Sendable {
    /// The scenario threw this error.
    case threw(any Error)
    /// The scenario recorded an issue.
    ///
    /// The string is the file and line of the first issue; empty if that issue has no source location, and `nil` if XCTest
    /// recorded it.
    case issue(at: String?)
    /// No job is ready and no task sleeps, but the scenario has not returned.
    ///
    /// The strings say what tasks expect from the probes, clocks and recorders that they wait for. If foreign work is allowed,
    /// the last string names the patience.
    case stalled(waiting: [String])
    /// The scenario was still running after this many jobs.
    case tooManyJobs(Int)
    /// No run had a choice, so the exploration tried only one schedule.
    case noChoice
    /// The run had jobs or tasks that the exploration does not control.
    case foreignWork(ExplorationAccount)
    /// The scenario returned, but this many of its tasks are still waiting or sleeping.
    case leftTasks(Int)
    /// A run took a different path than the earlier run that it repeats; the string says where.
    case differs(String)
    /// The runs passed, but they used seams that the kit did not find in this process; the strings name them.
    case lacks([String])
    /// No run met these conditions of ``sometimes(_:_:)``.
    case never([String])

    /// A string that is equal for failures of the same kind.
    ///
    /// Failures of one kind have the same case. Thrown errors of one kind also have the same type and the same first words.
    /// Issues of one kind also have the same source location.
    var kind: String {
      switch self {
      case .threw(let error):
        "threw \(type(of: error)): \("\(error)".prefix { $0.isLetter || $0 == " " })"
      case .issue(let place): "issue \(place ?? "")"
      default: Mirror(reflecting: self).children.first?.label ?? "\(self)"
      }
    }
  }

  /// The seed that replays the run; 0 if the exploration fails as a whole.
  public let seed: UInt64
  /// Why the run failed.
  public let reason: Reason
  /// The choices of the run, up to the failure.
  public let trace: ExplorationTrace

  /// The reason, the seed if a single run failed, and the variable that replays the run if a replay can show the failure.
  public var description: String {
    switch reason {
    case .noChoice, .never, .lacks: what
    case .foreignWork, .differs: "seed \(seed) \(what)"
    case .tooManyJobs: "seed \(seed) \(what); EXPLORE_SEED=\(seed) replays it"
    default:
      "seed \(seed) \(what) after \(counted(trace.jobs, "job")); EXPLORE_SEED=\(seed) replays it"
    }
  }

  /// Whether a single schedule shows the failure, so that a report can explain it.
  var isExplainable: Bool {
    switch reason {
    case .threw, .issue, .stalled, .tooManyJobs, .leftTasks: true
    case .noChoice, .foreignWork, .never, .differs, .lacks: false
    }
  }

  /// The reason, as words that follow "the run" or, if the exploration fails as a whole, as a sentence.
  var what: String {
    switch reason {
    case .threw(let error): return "threw \(error)"
    case .issue: return "recorded an issue"
    case .stalled(let waiting):
      let list = waiting.isEmpty ? "" : " (waiting: \(waiting.joined(separator: "; ")))"
      return "stalled: nothing is ready and the scenario has not returned\(list)"
    case .tooManyJobs(let limit): return "was stopped after its limit of \(counted(limit, "job"))"
    case .leftTasks(let count):
      return "left \(counted(count, "task")) behind, waiting or asleep"
    case .differs(let place):
      return """
        took a different path when it ran again: \(place). Something in the scenario does not follow the seed
        """
    case .noChoice:
      return """
        no run ever had a choice: the scenario has only one schedule, so nothing was explored. \
        To allow this, pass allowing: [.noChoice]
        """
    case .lacks(let seams):
      return """
        no run failed, but that proves nothing: tasks slept, and in this process the kit did not find \
        \(seams.joined(separator: "; ")). To allow this, pass allowing: [.missingSeams]
        """
    case .never(let names):
      return "no run met the condition: \(names.joined(separator: "; "))"
    case .foreignWork(let account):
      return """
        had foreign work, which the seed does not schedule: \(account.foreignWork). \
        To allow this, pass allowing: [.foreignWork]
        """
    }
  }
}
