/// The strategy of one run, with its state: it chooses which of the ready jobs runs next.
struct Chooser {
  private enum Kind { case uniform, priorities, ranks, walk, script, search }

  private let kind: Kind
  private var generator: SeededGenerator
  private var priorities: Priorities
  private var walk: UniformWalk?
  /// The forced switches that the run follows, if it follows a given schedule.
  private(set) var script = Script([])
  /// The position of the exhaustive search, if the run is part of one.
  private(set) var cursor = SearchCursor(bound: nil, independence: .nothing)

  init(_ strategy: ExplorationStrategy, seed: UInt64, measure: ScenarioMeasure) {
    generator = SeededGenerator(seed: seed)
    switch strategy.drawn(for: seed) {
    case .uniform, .mixed:
      kind = .uniform
      priorities = Priorities()
    case .pct(let depth, let jobs):
      kind = .priorities
      priorities = Priorities(depth: depth, length: jobs ?? measure.decisions, generator: generator)
    case .partialOrder:
      kind = .ranks
      priorities = Priorities()
    case .uniformWalk:
      kind = .walk
      priorities = Priorities()
      walk = UniformWalk(measure, generator: generator)
    }
  }

  /// Follows a schedule that is given by its forced switches.
  init(following switches: [ForcedSwitch]) {
    kind = .script
    generator = SeededGenerator(seed: 0)
    priorities = Priorities()
    script = Script(switches)
  }

  /// Makes the next choices of an exhaustive search.
  init(searching cursor: SearchCursor) {
    kind = .search
    generator = SeededGenerator(seed: 0)
    priorities = Priorities()
    self.cursor = cursor
  }

  /// Takes note of a new job, before it may be chosen.
  mutating func meet(_ job: inout ReadyJob, of tasks: borrowing TaskTable) {
    switch kind {
    case .uniform, .script, .search: break
    case .priorities: priorities.meet(job.task)
    case .ranks: job.rank = generator.next()
    case .walk: walk?.meet(job.task, of: tasks)
    }
  }

  /// Chooses the job that runs next.
  mutating func choose(
    from jobs: borrowing ReadyList, of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int {
    switch kind {
    case .uniform: generator.index(below: jobs.count)
    case .priorities:
      priorities.choose(from: jobs, current: moment.current, decision: moment.decision)
    case .ranks: highestRank(jobs)
    case .walk: walk?.choose(from: jobs) ?? 0
    case .script: script.choose(from: jobs, of: tasks, at: moment)
    case .search: cursor.choose(from: jobs, of: tasks, at: moment)
    }
  }

  /// Chooses a job that runs in the middle of the current one; `nil` lets the current one go on.
  mutating func choosePreempting(
    from indices: [Int], of jobs: borrowing ReadyList, of tasks: borrowing TaskTable,
    at moment: DecisionMoment
  ) -> Int? {
    switch kind {
    case .uniform, .ranks, .walk:
      let choice = generator.index(below: indices.count + 1)
      return choice == indices.count ? nil : indices[choice]
    case .priorities:
      return priorities.choosePreempting(
        from: indices, of: jobs, current: moment.current, decision: moment.decision)
    // An exhaustive search tries the orders of jobs, and does not interrupt a job.
    case .search: return nil
    case .script: return script.choosePreempting(from: indices, of: jobs, of: tasks, at: moment)
    }
  }

  /// Takes note of the job that was chosen.
  mutating func took(_ job: ReadyJob, from jobs: inout ReadyList) {
    if kind == .walk { walk?.took(job.task) }
    guard kind == .ranks else { return }
    // Jobs that race with this one are ordered anew; the others keep their moment.
    for index in 0..<jobs.count where jobs[index].place == job.place {
      jobs[index].rank = generator.next()
    }
  }

  private func highestRank(_ jobs: borrowing ReadyList) -> Int {
    var best = 0
    for index in 0..<jobs.count where jobs[index].rank > jobs[best].rank { best = index }
    return best
  }
}
