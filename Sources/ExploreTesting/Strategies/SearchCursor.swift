/// The position of an exhaustive search: the choices of its next run.
///
/// This is a depth-first search without saved states. Each run repeats the choices up to the last one that has an
/// alternative left, takes that alternative, and then makes new choices.
struct SearchCursor: Sendable {
  /// A ready job, identified by values that are the same in every run.
  private struct Candidate: Sendable {
    let task: UInt64
    let place: Int

    /// Represents continuing the current job, which is possible if the job has not reached its end.
    static let current = Candidate(task: 0, place: 0)
  }

  /// One choice, with the options that remain to be tried.
  private struct Node: Sendable {
    /// The jobs that can run here, the default first; empty for a chance, which is a decision of `choose` or `fault`.
    let candidates: [Candidate]
    /// The number of options; the first is the default.
    let count: Int
    /// How many forced switches and faults came before this choice.
    let spent: (switches: Int, faults: Int)
    /// Whether each option other than the first is a forced switch or a fault.
    let isForcing: Bool
    var isChance: Bool { candidates.isEmpty }
    /// The tasks that do not have to be tried here, because they were tried before, or because trying them would only
    /// reorder the independent jobs of an earlier run (a sleep set: Godefroid, 1996).
    var asleep: Set<UInt64>
    /// The tasks whose jobs, whether they run or sleep here, add a job to an actor's queue.
    ///
    /// The order of two such additions matters.
    var queued: Set<UInt64> = []
    var choice: Int
  }

  let bound: Int?
  /// The maximum number of faults in a schedule; `nil` for no limit.
  let faults: Int?
  /// Whether jobs on different actors, or on none, are independent, so their order does not matter.
  let stateIsInActors: Bool
  /// Whether the bounds also count switches away from a task that cannot continue, and values of `choose` other than the first.
  let countsAll: Bool
  private var path: [Node] = []
  private var depth = 0
  /// Draws the choices of a probe; `nil` in a run of the search.
  private var probe: SeededGenerator?
  var isProbe: Bool { probe != nil }
  /// An estimate of the number of choices in a run, for a probe.
  private var length = 0
  /// The number of schedules that a probe represents.
  ///
  /// The mean over many probes tends to the number of all schedules (Knuth, *Estimating the Efficiency of Backtrack Programs*,
  /// 1975).
  private(set) var weight = 1.0
  /// The number of each actor, in the order in which this run meets them, because addresses differ from run to run.
  private var places: [Place: Int] = [:]
  /// Whether an earlier run differs from this one only in the order of independent jobs.
  private(set) var isRedundant = false
  /// Whether this run offered, at some position, other options than an earlier run with the same choices.
  private var missesChoice = false
  /// Whether this run did not offer a choice that an earlier run with the same choices had offered; valid after the run has
  /// ended.
  var hasDiverged: Bool { missesChoice || depth < path.count }

  init(
    bound: Int?, faults: Int? = nil, stateIsInActors: Bool = false, countsAll: Bool = false
  ) {
    self.bound = bound
    self.faults = faults
    self.stateIsInActors = stateIsInActors
    self.countsAll = countsAll
  }

  /// Returns a cursor that draws one of the schedules of this search at random.
  func probing(seed: UInt64) -> SearchCursor {
    var cursor = SearchCursor(bound: bound, faults: faults)
    cursor.probe = SeededGenerator(seed: seed)
    cursor.length = path.count { $0.count > 1 }
    return cursor
  }

  /// Draws the choice of a node.
  ///
  /// With a bound, deviations are drawn so rarely that they are spread over the whole run.
  private mutating func draw(at node: Node) -> Int {
    let others = node.count - 1
    let left = node.isForcing ? left(at: node) : nil
    let rate = left.map { min(0.5, Double($0) / Double(max(length, 1))) }
    let other = rate ?? Double(others) / Double(others + 1)
    guard others > 0, other > 0, var generator = probe else { return 0 }
    let isOther = generator.bool(probability: other)
    let choice = isOther ? generator.integer(in: 1...others) : 0
    probe = generator
    weight /= isOther ? other / Double(others) : 1 - other
    return choice
  }

  /// How many more switches (or faults, for a chance) the schedule may add at a node; `nil` if there is no limit.
  private func left(at node: Node) -> Int? {
    node.isChance
      ? faults.map { max($0 - node.spent.faults, 0) }
      : bound.map { max($0 - node.spent.switches, 0) }
  }

  /// Chooses one of `count` options.
  mutating func decide(of count: Int, isFault: Bool) -> Int {
    guard !isRedundant else { return 0 }
    if depth == path.count {
      path.append(
        Node(
          candidates: [], count: count, spent: spent, isForcing: isFault || countsAll, asleep: [],
          choice: 0))
      if probe != nil { path[depth].choice = draw(at: path[depth]) }
    }
    defer { depth += 1 }
    guard path[depth].isChance, path[depth].count == count else {
      missesChoice = true
      return 0
    }
    return path[depth].choice
  }

  /// How many forced switches and faults the path has.
  private var spent: (switches: Int, faults: Int) {
    guard let last = path.last else { return (0, 0) }
    let isDeviation = last.isForcing && last.choice > 0
    return (
      last.spent.switches + (isDeviation && !last.isChance ? 1 : 0),
      last.spent.faults + (isDeviation && last.isChance ? 1 : 0)
    )
  }

  /// Numbers the actor of a new job, and records whether the current job caused the new job to wait in the actor's queue.
  ///
  /// Jobs arrive in the same order in each run that repeats the choices.
  mutating func meet(_ job: ReadyJob) {
    if job.queues, stateIsInActors, let last = path[..<depth].lastIndex(where: { !$0.isChance }) {
      path[last].queued.insert(path[last].candidates[path[last].choice].task)
    }
    if job.place.isExclusive, places[job.place] == nil { places[job.place] = places.count + 1 }
  }

  /// Chooses a job; `nil` if the current one continues.
  mutating func choose(
    from indices: some Collection<Int>, of jobs: borrowing ReadyList, of tasks: borrowing TaskTable,
    at moment: DecisionMoment
  ) -> Int? {
    let natural = Script.natural(jobs, at: moment)
    // A redundant run has no new choices. If tasks share state only in actors, an interruption within a job changes nothing, so
    // it is not a choice.
    guard !isRedundant, !stateIsInActors || !moment.isInJob else { return natural }
    if depth == path.count {
      let others = indices.filter { $0 != natural }.sorted { jobs[$0].order < jobs[$1].order }
      path.append(
        node(
          [natural.map { candidate(jobs[$0], tasks) } ?? .current]
            + others.map { candidate(jobs[$0], tasks) },
          isForcing: countsAll || natural.map { jobs[$0].task == moment.current } ?? true))
      if probe != nil { path[depth].choice = draw(at: path[depth]) }
    }
    let node = path[depth]
    depth += 1
    if !node.isChance, node.count == indices.count + (natural == nil ? 1 : 0) {
      let key = node.candidates[node.choice].task
      for index in indices where tasks.key(of: jobs[index]) == key { return index }
      if natural == nil, key == Candidate.current.task { return nil }
    }
    missesChoice = true
    return natural
  }

  private func candidate(_ job: ReadyJob, _ tasks: borrowing TaskTable) -> Candidate {
    Candidate(task: tasks.key(of: job), place: places[job.place] ?? 0)
  }

  private mutating func node(_ candidates: [Candidate], isForcing: Bool) -> Node {
    var (asleep, queued): (Set<UInt64>, Set<UInt64>) = ([], [])
    if stateIsInActors, let last = path.last(where: { !$0.isChance }) {
      // A sleeping task stays asleep if its job is independent of the one that has just run.
      let ran = last.candidates[last.choice]
      for candidate in last.candidates where last.asleep.contains(candidate.task) {
        let hasQueued = last.queued.contains(candidate.task)
        guard candidate.task != ran.task, isIndependent(candidate, ran),
          !hasQueued || !last.queued.contains(ran.task)
        else { continue }
        asleep.insert(candidate.task)
        if hasQueued { queued.insert(candidate.task) }
      }
    }
    let awake = candidates.firstIndex { !asleep.contains($0.task) }
    isRedundant = awake == nil
    return Node(
      candidates: candidates, count: candidates.count, spent: spent, isForcing: isForcing,
      asleep: asleep, queued: queued, choice: awake ?? 0)
  }

  private func isIndependent(_ first: Candidate, _ second: Candidate) -> Bool {
    first.place == 0 || second.place == 0 || first.place != second.place
  }

  /// Advances the search to its next schedule; returns `false` if there is none.
  mutating func advance() -> Bool {
    depth = 0
    places = [:]
    isRedundant = false
    missesChoice = false
    while var node = path.popLast() {
      if !node.isChance { node.asleep.insert(node.candidates[node.choice].task) }
      let isExhausted = node.isForcing && left(at: node) == 0
      let next = (0..<node.count).first { way in
        node.isChance ? way > node.choice : !node.asleep.contains(node.candidates[way].task)
      }
      if let next, !isExhausted {
        node.choice = next
        path.append(node)
        return true
      }
    }
    return false
  }
}
