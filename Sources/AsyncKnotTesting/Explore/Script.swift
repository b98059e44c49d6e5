/// A schedule that is told by its exceptions.
struct Script {
  private var switches: [ForcedSwitch.Moment: UInt64]
  /// The exceptions that were met in this run, in order.
  private(set) var met: [ForcedSwitch] = []
  /// The first exception that could not be carried out: its task was not ready.
  private(set) var divergence: Divergence?

  /// Where a run did not go as it was told.
  struct Divergence: Sendable {
    let step: Int
    let forced: ForcedSwitch
  }

  init(_ switches: [ForcedSwitch]) {
    self.switches = Dictionary(switches.map { ($0.after, $0.run) }) { first, _ in first }
  }

  /// The exceptions that were never met.
  var unmet: Int { switches.count - met.count }

  mutating func choose(
    from jobs: borrowing ReadyList, of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int {
    if let key = switches[moment.moment] {
      let forced = ForcedSwitch(after: moment.moment, run: key)
      for index in 0..<jobs.count where tasks.entries[jobs[index].task].key == key {
        met.append(forced)
        return index
      }
      if divergence == nil { divergence = Divergence(step: moment.step, forced: forced) }
    }
    return Self.natural(jobs, current: moment.current)
  }

  /// Whether a job is to run in the middle of the current one, and which of these.
  mutating func choosePreempting(
    from indices: [Int], of jobs: borrowing ReadyList, of tasks: borrowing TaskTable,
    at moment: DecisionMoment
  ) -> Int? {
    guard let key = switches[moment.moment] else { return nil }
    for index in indices where tasks.entries[jobs[index].task].key == key {
      met.append(ForcedSwitch(after: moment.moment, run: key))
      return index
    }
    return nil
  }

  /// What runs by itself: the current task, or else the job that has been ready longest.
  static func natural(_ jobs: borrowing ReadyList, current: Int) -> Int {
    var best = 0
    for index in 0..<jobs.count {
      if jobs[index].task == current { return index }
      if jobs[index].order < jobs[best].order { best = index }
    }
    return best
  }
}
