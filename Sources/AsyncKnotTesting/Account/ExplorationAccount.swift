/// What an exploration was made of, over all its seeds.
///
/// ```swift
/// let outcome = await Exploration(seeds: 10_000).outcome { try await scenario() }
/// #expect(outcome.account.schedules > 100)
/// ```
public struct ExplorationAccount: Sendable, CustomStringConvertible {
  /// How many runs there were.
  public private(set) var runs = 0
  /// How many jobs they had, all of them in the order of their seeds.
  public private(set) var jobs = 0
  /// How often more than one job was ready, so that there was something to choose.
  public private(set) var choices = 0
  /// How many jobs came from threads that the exploration does not own.
  public private(set) var foreignJobs = 0
  /// How many tasks of the scenario ran elsewhere.
  public private(set) var escapedTasks = 0
  /// How often a run waited for work from outside.
  public private(set) var waits = 0
  private var fingerprints: Set<UInt64> = []

  /// How many different schedules the runs have seen.
  public var schedules: Int { fingerprints.count }

  /// Creates the account of no run.
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
