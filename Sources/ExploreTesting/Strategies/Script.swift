/// A schedule that is described by its forced switches.
struct Script {
  private var switches: [ForcedSwitch.Moment: UInt64]
  /// The number of switches that this run has carried out.
  private var met = 0
  /// The first step at which the run could not follow the schedule, and the reason.
  private(set) var divergence: (step: Int, reason: String)?

  init(_ switches: [ForcedSwitch]) {
    self.switches = Dictionary(switches.map { ($0.after, $0.run) }) { first, _ in first }
  }

  /// The number of switches that were not carried out.
  var unmet: Int { switches.count - met }

  /// Chooses the scripted job, or else the default one; `nil` if the current job continues.
  mutating func choose(
    from candidates: some Collection<Int>, of jobs: borrowing ReadyList,
    of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int? {
    if let key = switches[moment.moment] {
      for index in candidates where tasks.key(of: jobs[index]) == key {
        met += 1
        return index
      }
      diverge(at: moment, "the task that should run is not ready")
    }
    return Self.natural(jobs, at: moment)
  }

  private mutating func diverge(at moment: DecisionMoment, _ reason: String) {
    if divergence == nil { divergence = (moment.step, reason) }
  }

  /// Returns the scripted option, or else the default.
  mutating func decide(of count: Int, at moment: DecisionMoment) -> Int {
    guard let choice = switches[moment.moment] else { return 0 }
    if choice < count {
      met += 1
      return Int(choice)
    }
    diverge(at: moment, "the option that should be chosen does not exist")
    return 0
  }

  /// The default: the job of the current task, or else the job that has been ready for longest; `nil` if the current job
  /// continues.
  static func natural(_ jobs: borrowing ReadyList, at moment: DecisionMoment) -> Int? {
    guard !moment.isInJob else { return nil }
    var best = 0
    for index in 0..<jobs.count {
      if jobs[index].task == moment.current { return index }
      if jobs[index].order < jobs[best].order { best = index }
    }
    return best
  }
}
