/// A schedule that is given by its forced switches.
struct Script {
  private var switches: [ForcedSwitch.Moment: UInt64]
  /// How many switches were carried out in this run.
  private var met = 0
  /// The first step at which the run could not go as it was told, because the task was not ready.
  private(set) var divergence: Int?

  init(_ switches: [ForcedSwitch]) {
    self.switches = Dictionary(switches.map { ($0.after, $0.run) }) { first, _ in first }
  }

  /// The number of switches that were not carried out.
  var unmet: Int { switches.count - met }

  /// Chooses the job that is to run there, or else by the default rule; `nil` where the current one goes on.
  mutating func choose(
    from candidates: some Collection<Int>, of jobs: borrowing ReadyList,
    of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int? {
    if let key = switches[moment.moment] {
      for index in candidates where tasks.entries[jobs[index].task].key == key {
        met += 1
        return index
      }
      diverge(at: moment)
    }
    return Self.natural(jobs, at: moment)
  }

  private mutating func diverge(at moment: DecisionMoment) {
    if divergence == nil { divergence = moment.step }
  }

  /// What a chance is told to be, or else the plain one.
  mutating func decide(of count: Int, at moment: DecisionMoment) -> Int {
    guard let choice = switches[moment.moment] else { return 0 }
    if choice < count {
      met += 1
      return Int(choice)
    }
    diverge(at: moment)
    return 0
  }

  /// The job that the default rule chooses: that of the current task, or else the one that was ready first; `nil` where
  /// the current job goes on.
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
