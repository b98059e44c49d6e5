/// What one run was made of.
///
/// ```swift
/// let run = await Exploration().run(seed: 7, scenario)
/// #expect(run.account.foreignJobs == 0)
/// ```
public struct RunAccount: Hashable, Sendable {
  /// How many jobs the exploration ran, in the order of the seed.
  public internal(set) var jobs = 0
  /// How often more than one job was ready, so that there was something to choose.
  public internal(set) var choices = 0
  /// How many jobs came from threads that the exploration does not own.
  ///
  /// Their moment is not the seed's, so the run may go otherwise the next time.
  public internal(set) var foreignJobs = 0
  /// How many tasks of the scenario run elsewhere, without the exploration.
  public internal(set) var escapedTasks = 0
  /// How often nothing was ready, and the run waited for work from outside.
  public internal(set) var waits = 0

  /// A number that two runs share when, and but for chance only when, the same jobs ran in the same order.
  var fingerprint: UInt64 = 0

  /// Whether anything of the run happened outside of it.
  public var hasForeignWork: Bool { foreignJobs > 0 || escapedTasks > 0 }

  /// What happened outside, in words.
  var foreignWork: String {
    var parts: [String] = []
    if foreignJobs > 0 { parts.append("\(foreignJobs) jobs came from other threads") }
    if escapedTasks > 0 { parts.append("\(escapedTasks) tasks ran elsewhere") }
    return parts.joined(separator: ", ")
  }
}
