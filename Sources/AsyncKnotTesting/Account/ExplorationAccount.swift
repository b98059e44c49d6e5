/// The counts of an exploration, over all its runs.
///
/// ```swift
/// let outcome = await Exploration(seeds: 10_000).outcome { try await scenario() }
/// #expect(outcome.account.schedules > 100)
/// ```
public struct ExplorationAccount: Sendable, CustomStringConvertible {
  /// The number of runs.
  public private(set) var runs = 0
  /// The number of jobs that ran in an order drawn from a seed.
  public private(set) var jobs = 0
  /// How often more than one job was ready, so that the strategy had a choice.
  public private(set) var choices = 0
  /// The number of jobs that came from threads which the exploration does not control.
  public private(set) var foreignJobs = 0
  /// The number of tasks of the scenario that ran outside of the exploration.
  public private(set) var escapedTasks = 0
  /// How often a run waited for code that the exploration does not control.
  public private(set) var waits = 0
  private var fingerprints: Set<UInt64> = []

  /// The number of different schedules among the runs.
  public var schedules: Int { fingerprints.count }

  /// Creates an account without a run.
  public init() {}

  mutating func add(_ run: RunAccount) {
    runs += 1
    jobs += run.jobs
    choices += run.choices
    foreignJobs += run.foreignJobs
    escapedTasks += run.escapedTasks
    waits += run.waits
    fingerprints.insert(run.fingerprint)
  }

  /// One line: runs, schedules, jobs, choices, and foreign work where there was any.
  public var description: String {
    var text = "\(runs) runs, \(schedules) different schedules, \(jobs) jobs, \(choices) choices"
    if foreignJobs > 0 { text += ", \(foreignJobs) foreign jobs" }
    if escapedTasks > 0 { text += ", \(escapedTasks) tasks that ran elsewhere" }
    if waits > 0 { text += ", \(waits) waits for work from outside" }
    return text
  }
}
