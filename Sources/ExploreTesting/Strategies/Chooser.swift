/// The strategy of one run and its state: chooses which of the ready jobs runs next.
struct Chooser {
  private enum Kind { case uniform, priorities, script, search }

  private let kind: Kind
  /// Whether other jobs may interrupt a job.
  private(set) var hasInterruptions = false
  /// Whether a run that repeats or shortens this schedule may have interruptions.
  private(set) var isMixed = false
  /// The inverse of the probability of an interruption.
  ///
  /// Each interruption makes the next one much less likely, because an interruption takes as long as twenty jobs.
  private var rarity = 1
  private var generator: SeededGenerator
  private var priorities: Priorities
  private var odds: Odds
  /// The forced switches that the run follows, if its schedule is given.
  private(set) var script = Script([])
  /// The position of the exhaustive search that the run belongs to.
  private(set) var cursor = SearchCursor(bound: nil)

  private init(kind: Kind, seed: UInt64) {
    self.kind = kind
    generator = SeededGenerator(seed: seed)
    priorities = Priorities(generator: generator)
    odds = Odds(seed: seed)
  }

  init(_ strategy: ExplorationStrategy, seed: UInt64, interrupts: Bool = false) {
    let isUniform = strategy == .uniform || strategy == .mixed && seed % 2 == 0
    self.init(kind: isUniform ? .uniform : .priorities, seed: seed)
    isMixed = strategy == .mixed || interrupts
    hasInterruptions = interrupts || strategy == .mixed && seed / 4 % 4 == 1
    if hasInterruptions { rarity = 2 << generator.index(below: 4) }
  }

  /// Follows a schedule that is given by its forced switches.
  ///
  /// - Parameters:
  ///   - switches: The forced switches.
  ///   - isMixed: Whether the switches may include interruptions.
  init(following switches: [ForcedSwitch], isMixed: Bool) {
    self.init(kind: .script, seed: 0)
    script = Script(switches)
    self.isMixed = isMixed
    hasInterruptions = isMixed
  }

  /// Continues an exhaustive search.
  init(searching cursor: SearchCursor, interrupts: Bool) {
    self.init(kind: .search, seed: 0)
    self.cursor = cursor
    isMixed = interrupts
    hasInterruptions = interrupts
  }

  /// Chooses one of `count` options; 0 is the default.
  mutating func decide(
    _ name: String, of count: Int, isFault: Bool, at moment: DecisionMoment
  ) -> Int {
    switch kind {
    case .script: script.decide(of: count, at: moment)
    case .search: cursor.decide(of: count, isFault: isFault)
    case .uniform, .priorities: odds.draw(name, of: count, isFault: isFault)
    }
  }

  /// Records a new job before it can be chosen.
  mutating func meet(_ job: ReadyJob) {
    if kind == .priorities { priorities.meet(job.task) }
    if kind == .search { cursor.meet(job) }
  }

  /// Decides whether another job interrupts the current one at a moment at which jobs are ready.
  ///
  /// Most moments pass without an interruption, so a run with a random schedule decides here, before it spends time on listing
  /// the jobs. In a run that follows or searches a schedule, this method returns `true`, and ``choose(from:of:of:at:)`` decides.
  ///
  /// - Parameter turn: The number of jobs that have already run at this moment. If it is not 0, a random schedule runs another
  ///   job with a probability of 1/3, because a thread that has lost the processor once may lose it again.
  /// - Returns: Whether one more job runs.
  mutating func interrupts(turn: Int) -> Bool {
    guard kind == .uniform || kind == .priorities else { return true }
    guard turn == 0 else { return generator.index(below: 3) == 0 }
    guard generator.index(below: rarity) == 0 else { return false }
    rarity += 9
    return true
  }

  /// Chooses the job that runs next.
  ///
  /// - Parameters:
  ///   - candidates: The indices of the jobs that may run.
  ///   - jobs: The ready jobs.
  ///   - tasks: The tasks of the run.
  ///   - moment: The moment of the choice. In the middle of a job, that job may also continue.
  /// - Returns: The index of a job; `nil` if the current one continues.
  mutating func choose(
    from candidates: some RandomAccessCollection<Int>, of jobs: borrowing ReadyList,
    of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int? {
    if kind == .script {
      return script.choose(from: candidates, of: jobs, of: tasks, at: moment)
    }
    if kind == .search {
      return cursor.choose(from: candidates, of: jobs, of: tasks, at: moment)
    }
    if moment.moment.isInterruption { return uniform(candidates, orNone: false) }
    if kind == .priorities { return priorities.choose(from: candidates, of: jobs, at: moment) }
    return uniform(candidates, orNone: moment.isInJob)
  }

  private mutating func uniform(
    _ candidates: some RandomAccessCollection<Int>, orNone: Bool
  ) -> Int? {
    let choice = generator.index(below: candidates.count + (orNone ? 1 : 0))
    return choice == candidates.count
      ? nil : candidates[candidates.index(candidates.startIndex, offsetBy: choice)]
  }
}
