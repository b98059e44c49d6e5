/// The counts of one run, or of all runs of an exploration.
///
/// ```swift
/// let outcome = await Exploration(seeds: 10_000).outcome { try await scenario() }
/// #expect(outcome.account.schedules > 100)
/// ```
public struct ExplorationAccount: Hashable, Sendable, CustomStringConvertible {
  /// The number of runs.
  public internal(set) var runs = 0
  /// The number of jobs that the seed scheduled.
  public internal(set) var jobs = 0
  /// How many times the strategy had a choice: between several jobs, or in a call to `choose` or `fault`.
  public internal(set) var choices = 0
  /// The number of jobs sent by threads that the exploration does not control.
  ///
  /// The seed does not decide when they arrive, so another run of the same seed may differ.
  public internal(set) var foreignJobs = 0
  /// The functions in which the task of the first foreign job was suspended, innermost first.
  var foreignFunctions: [UInt] = []
  /// The number of the scenario's tasks that ran outside the exploration.
  public internal(set) var escapedTasks = 0
  /// The types of the actors that the run may share with other code, because the actors are older than the run.
  private var sharedActors: [Place: String] = [:]
  /// A hash of the schedule of a single run: equal schedules have equal hashes, and different schedules almost never do.
  var fingerprint: UInt64 = 0
  private var fingerprints: Set<UInt64> = []
  /// How many times a task slept on a standard clock, in virtual time.
  var sleeps = 0
  /// How many times code read a clock or a source of random numbers that the seed does not control.
  public internal(set) var foreignReadings = 0

  /// The number of distinct schedules among the runs.
  public var schedules: Int { max(fingerprints.count, min(runs, 1)) }

  /// Creates an account in which all counts are zero.
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

  /// Adds a decision to the hash.
  mutating func mix(_ value: UInt64) {
    let mixed = (fingerprint ^ value) &* 0x9E37_79B9_7F4A_7C15
    fingerprint = mixed ^ (mixed >> 32)
  }

  /// Records an actor that was created before the run.
  mutating func noteShared(_ place: Place) {
    guard sharedActors[place] == nil, let actor = unsafe place.actor else { return }
    sharedActors[place] = unsafe typeName(actor)
  }

  /// Whether jobs came from threads that the exploration does not control, or tasks ran outside the exploration.
  public var hasForeignWork: Bool { foreignJobs > 0 || escapedTasks > 0 }

  /// The foreign work, as a phrase of a report.
  var foreignWork: String {
    var parts: [String] = []
    if foreignJobs > 0 {
      let name = Symbols(of: foreignFunctions).innermost(foreignFunctions).map {
        ", the first for a task in \($0.function)"
      }
      parts.append("\(counted(foreignJobs, "job")) came from other threads\(name ?? "")")
    }
    if escapedTasks > 0 {
      parts.append("\(counted(escapedTasks, "task")) ran outside the exploration")
    }
    let names = Set(sharedActors.values).sorted().joined(separator: ", ")
    return parts.joined(separator: ", ")
      + (names.isEmpty || foreignJobs == 0
        ? ""
        : """
        ; code outside explorations may have used these actors at the same time, because they were created before the \
        run: \(names). Explorations take turns using them. Put a test that uses them without exploring into the same \
        @Suite(.serialized) as this test, or give that test its own actor
        """)
  }

  /// One line with the runs, schedules, jobs and choices, and the foreign work and readings if there were any.
  public var description: String {
    var text = [
      counted(runs, "run"), counted(schedules, "different schedule"), counted(jobs, "job"),
      counted(choices, "choice"),
    ].joined(separator: ", ")
    if hasForeignWork { text += ", \(foreignWork)" }
    if foreignReadings > 0 {
      text +=
        ", \(counted(foreignReadings, "reading")) of clocks or random numbers that the seed does not control"
    }
    return text
  }
}
