/// The strategy of one run, with its state: it chooses which of the ready jobs runs next.
struct Chooser {
  private enum Kind { case uniform, priorities, script, search }

  private let kind: Kind
  /// Whether other jobs may come in the middle of one.
  private(set) var hasInterruptions = false
  /// Whether they may in a run that takes a similar schedule.
  private(set) var isMixed = false
  /// At one such moment in so many another job comes; each makes the next one much rarer, as it costs as much as twenty jobs.
  private var rarity = 1
  private var generator: SeededGenerator
  private var priorities: Priorities
  private var odds: Odds
  /// The forced switches that the run follows, if it follows a given schedule.
  private(set) var script = Script([])
  /// The position of the exhaustive search, if the run is part of one.
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
  ///   - isMixed: Whether interruptions may be among them.
  init(following switches: [ForcedSwitch], isMixed: Bool) {
    self.init(kind: .script, seed: 0)
    script = Script(switches)
    self.isMixed = isMixed
    hasInterruptions = isMixed
  }

  /// Makes the next choices of an exhaustive search.
  init(searching cursor: SearchCursor, interrupts: Bool) {
    self.init(kind: .search, seed: 0)
    self.cursor = cursor
    isMixed = interrupts
    hasInterruptions = interrupts
  }

  /// Decides between so many ways, of which the first is the plain one.
  mutating func decide(
    _ name: String, of count: Int, isFault: Bool, at moment: DecisionMoment
  ) -> Int {
    switch kind {
    case .script: script.decide(of: count, at: moment)
    case .search: cursor.decide(of: count, isFault: isFault)
    case .uniform, .priorities: odds.draw(name, of: count, isFault: isFault)
    }
  }

  /// Takes note of a new job, before it may be chosen.
  mutating func meet(_ job: ReadyJob) {
    if kind == .priorities { priorities.meet(job.task) }
    if kind == .search { cursor.meet(job.place) }
  }

  /// Decides whether code is interrupted at a moment at which other jobs are ready.
  ///
  /// Most moments pass, so a run that draws its schedule asks this before it lists the jobs. A schedule that is followed or
  /// searched decides by these.
  ///
  /// - Parameter turn: How many jobs have come at this moment. Code that is away for one may be away for more.
  /// - Returns: Whether one more comes.
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
  ///   - candidates: The places of the jobs that may run.
  ///   - jobs: The ready jobs.
  ///   - tasks: The tasks of the run.
  ///   - moment: The moment of the choice. In the middle of a job that one may go on, too.
  /// - Returns: The place of a job; `nil` for the one that goes on.
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
