/// The strategy of one run, with its state: it chooses which of the ready jobs runs next.
struct Chooser {
  private enum Kind { case uniform, priorities, walk, script, search }

  private let kind: Kind
  /// Whether deadlines may come although jobs are ready.
  private(set) var hasEarlyDeadlines = false
  /// At one decision in so many the nearest deadline comes early.
  private var rarity = 1
  private var generator: SeededGenerator
  private var priorities: Priorities
  private var walk: SkewedWalk
  /// The forced switches that the run follows, if it follows a given schedule.
  private(set) var script = Script([])
  /// The position of the exhaustive search, if the run is part of one.
  private(set) var cursor = SearchCursor(bound: nil, independence: .nothing)

  private init(kind: Kind, seed: UInt64) {
    self.kind = kind
    generator = SeededGenerator(seed: seed)
    priorities = Priorities(generator: generator)
    walk = SkewedWalk(generator: generator)
  }

  init(_ strategy: ExplorationStrategy, seed: UInt64) {
    switch strategy.drawn(for: seed) {
    case .uniform, .mixed: self.init(kind: .uniform, seed: seed)
    case .pct: self.init(kind: .priorities, seed: seed)
    case .skewed: self.init(kind: .walk, seed: seed)
    }
    hasEarlyDeadlines = strategy == .mixed && seed / 4 % 4 == 3
    if hasEarlyDeadlines { rarity = 4 << generator.index(below: 6) }
  }

  /// Follows a schedule that is given by its forced switches.
  ///
  /// - Parameters:
  ///   - switches: The forced switches.
  ///   - hasEarlyDeadlines: Whether deadlines may be among them.
  init(following switches: [ForcedSwitch], hasEarlyDeadlines: Bool) {
    self.init(kind: .script, seed: 0)
    script = Script(switches)
    self.hasEarlyDeadlines = hasEarlyDeadlines
  }

  /// Makes the next choices of an exhaustive search.
  init(searching cursor: SearchCursor) {
    self.init(kind: .search, seed: 0)
    self.cursor = cursor
  }

  /// Takes note of a new job, before it may be chosen.
  mutating func meet(_ job: ReadyJob) {
    switch kind {
    case .uniform, .script: break
    case .priorities: priorities.meet(job.task)
    case .walk: walk.meet(job.task)
    case .search: cursor.meet(job.place)
    }
  }

  /// Whether the nearest deadline comes before the next job.
  mutating func takesDeadline(at moment: ForcedSwitch.Moment) -> Bool {
    kind == .script
      ? script.takesDeadline(at: moment) : generator.index(below: rarity) == 0
  }

  /// Chooses the job that runs next.
  mutating func choose(
    from jobs: borrowing ReadyList, of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int {
    switch kind {
    case .uniform: generator.index(below: jobs.count)
    case .priorities: priorities.choose(from: jobs, current: moment.current)
    case .walk: walk.choose(from: jobs)
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
    case .uniform:
      let choice = generator.index(below: indices.count + 1)
      return choice == indices.count ? nil : indices[choice]
    case .priorities:
      return priorities.choosePreempting(from: indices, of: jobs, current: moment.current)
    case .walk: return walk.choosePreempting(from: indices, of: jobs, current: moment.current)
    case .search: return cursor.choosePreempting(from: indices, of: jobs, of: tasks, at: moment)
    case .script: return script.choosePreempting(from: indices, of: jobs, of: tasks, at: moment)
    }
  }
}
