/// The counts of an exploration, over all its runs, or of one run.
///
/// ```swift
/// let outcome = await Exploration(seeds: 10_000).outcome { try await scenario() }
/// #expect(outcome.account.schedules > 100)
/// ```
public struct ExplorationAccount: Hashable, Sendable, CustomStringConvertible {
  /// The number of runs.
  public internal(set) var runs = 0
  /// The number of jobs that ran in an order drawn from a seed.
  public internal(set) var jobs = 0
  /// How often more than one job was ready, so that the strategy had a choice.
  public internal(set) var choices = 0
  /// The number of jobs that came from threads which the exploration does not control.
  ///
  /// The seed does not decide when they come, so another run of the seed may differ.
  public internal(set) var foreignJobs = 0
  /// The functions in which the task of the first of these jobs was suspended, from the innermost.
  var foreignFunctions: [UInt] = []
  /// The number of tasks of the scenario that ran outside of the exploration.
  public internal(set) var escapedTasks = 0
  /// The types of the actors that were there before the run, and may be used by others at the same time.
  private var sharedActors: [Place: String] = [:]
  /// A hash of the order of the jobs of the last run: equal for equal orders, and else most likely different.
  var fingerprint: UInt64 = 0
  private var fingerprints: Set<UInt64> = []
  /// How often a task slept until the time of its run had moved.
  var sleeps = 0
  /// How often clocks or sources of random numbers were read that are not the seed's.
  public internal(set) var foreignReadings = 0

  /// The number of different schedules among the runs.
  public var schedules: Int { max(fingerprints.count, min(runs, 1)) }

  /// Creates an account without a run.
  public init() {}

  mutating func add(_ run: ExplorationAccount) {
    runs += run.runs
    jobs += run.jobs
    choices += run.choices
    if foreignJobs == 0 { foreignFunctions = run.foreignFunctions }
    foreignJobs += run.foreignJobs
    escapedTasks += run.escapedTasks
    foreignReadings += run.foreignReadings
    sleeps += run.sleeps
    if !run.sharedActors.isEmpty { sharedActors.merge(run.sharedActors) { first, _ in first } }
    fingerprints.insert(run.fingerprint)
  }

  /// Takes a decision into the hash.
  mutating func mix(_ value: UInt64) {
    let mixed = (fingerprint ^ value) &* 0x9E37_79B9_7F4A_7C15
    fingerprint = mixed ^ (mixed >> 32)
  }

  /// Takes note of an actor that was there before the run.
  mutating func noteShared(_ place: Place) {
    guard sharedActors[place] == nil, let actor = unsafe place.actor else { return }
    sharedActors[place] = unsafe typeName(actor)
  }

  /// Whether there were jobs or tasks whose order the seed does not decide.
  public var hasForeignWork: Bool { foreignJobs > 0 || escapedTasks > 0 }

  /// The foreign work in words.
  var foreignWork: String {
    var parts: [String] = []
    if foreignJobs > 0 {
      let name = Symbols(of: foreignFunctions).innermost(foreignFunctions).map {
        ", the first for a task in \($0.function)"
      }
      parts.append("\(counted(foreignJobs, "job")) came from other threads\(name ?? "")")
    }
    if escapedTasks > 0 { parts.append("\(counted(escapedTasks, "task")) ran elsewhere") }
    let names = Set(sharedActors.values).sorted().joined(separator: ", ")
    return parts.joined(separator: ", ")
      + (names.isEmpty || foreignJobs == 0
        ? ""
        : """
        ; actors that live longer than a run, and that code outside of explorations may have used meanwhile: \(names). \
        Explorations take turns at them; tests that do not explore need @Suite(.serialized), with this one, or an \
        actor of their own
        """)
  }

  /// One line: runs, schedules, jobs, choices, and foreign work where there was any.
  public var description: String {
    var text = "\(runs) runs, \(schedules) different schedules, \(jobs) jobs, \(choices) choices"
    if hasForeignWork { text += ", \(foreignWork)" }
    if foreignReadings > 0 {
      text +=
        ", \(counted(foreignReadings, "reading")) of clocks or random numbers that are not the seed's"
    }
    return text
  }
}
