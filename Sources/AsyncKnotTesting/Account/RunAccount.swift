/// The counts of one run.
///
/// ```swift
/// let run = await Exploration().run(seed: 7, scenario)
/// #expect(run.account.foreignJobs == 0)
/// ```
public struct RunAccount: Hashable, Sendable {
  /// The number of jobs that ran in the order drawn from the seed.
  public internal(set) var jobs = 0
  /// How often more than one job was ready, so that the strategy had a choice.
  public internal(set) var choices = 0
  /// The number of jobs that came from threads which the exploration does not control.
  ///
  /// The seed does not decide when they come, so another run of the seed may differ.
  public internal(set) var foreignJobs = 0
  /// The number of tasks of the scenario that run outside of the exploration.
  public internal(set) var escapedTasks = 0
  /// How often nothing was ready, and the run waited for code that the exploration does not control.
  public internal(set) var waits = 0

  /// A hash of the order of the jobs: equal for runs with the same order, and else most likely different.
  var fingerprint: UInt64 = 0

  /// Whether the run had jobs or tasks whose order the seed does not decide.
  public var hasForeignWork: Bool { foreignJobs > 0 || escapedTasks > 0 }

  /// The foreign work in words.
  var foreignWork: String {
    var parts: [String] = []
    if foreignJobs > 0 { parts.append("\(foreignJobs) jobs came from other threads") }
    if escapedTasks > 0 { parts.append("\(escapedTasks) tasks ran elsewhere") }
    return parts.joined(separator: ", ")
  }
}
