/// The position of an exhaustive search: the choices of its next run.
///
/// A depth-first search without a stack of states: each run repeats the choices up to the last one that
/// has an alternative left, takes that, and goes on by itself.
struct SearchCursor: Sendable {
  /// The jobs that may be exchanged without a change of what a run does.
  enum Independence: Sendable {
    /// None: each order of jobs is a schedule of its own.
    case nothing
    /// Jobs that run on different actors, or on none, because state is in actors only.
    case actors
  }

  /// A job that was ready, by values that are the same in every run.
  private struct Candidate: Sendable {
    let task: UInt64
    let place: Int
  }

  /// One choice, and the jobs that remain to be tried at it.
  private struct Node: Sendable {
    /// The jobs that can run here; the first is the one that the default rule chooses.
    let candidates: [Candidate]
    /// How many forced switches there were before.
    let preemptions: Int
    /// Whether running another one than the first is a forced switch.
    let isForcing: Bool
    /// The tasks that were tried here, or that need not be tried, because a run that was made before differs
    /// only in the order of independent jobs (a sleep set: Godefroid, 1996).
    var asleep: Set<UInt64>
    var choice: Int
  }

  let bound: Int?
  let independence: Independence
  private var path: [Node] = []
  private var depth = 0
  /// Places in the order in which this run meets them; addresses differ from run to run.
  private var places: [Place: Int] = [:]
  /// Whether a run that was made before differs from this one only in the order of independent jobs.
  private(set) var isRedundant = false

  init(bound: Int?, independence: Independence) {
    self.bound = bound
    self.independence = independence
  }

  mutating func choose(
    from jobs: borrowing ReadyList, of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Int {
    if depth == path.count { path.append(node(for: jobs, of: tasks, at: moment)) }
    let node = path[depth]
    depth += 1
    let key = node.candidates[node.choice].task
    for index in 0..<jobs.count where tasks.entries[jobs[index].task].key == key { return index }
    return Script.natural(jobs, current: moment.current)
  }

  private mutating func node(
    for jobs: borrowing ReadyList, of tasks: borrowing TaskTable, at moment: DecisionMoment
  ) -> Node {
    let natural = Script.natural(jobs, current: moment.current)
    var order = [natural]
    order += (0..<jobs.count).filter { $0 != natural }.sorted { jobs[$0].order < jobs[$1].order }
    let candidates = order.map { index in
      Candidate(task: tasks.entries[jobs[index].task].key, place: number(of: jobs[index].place))
    }
    let last = path.last
    let preemptions = last.map { $0.preemptions + ($0.isForcing && $0.choice > 0 ? 1 : 0) } ?? 0
    let isForcing = jobs[natural].task == moment.current
    var asleep: Set<UInt64> = []
    if independence == .actors, let last {
      // A task that was asleep stays so if its job is independent of the job that has just run.
      let ran = last.candidates[last.choice]
      for candidate in last.candidates where last.asleep.contains(candidate.task) {
        if candidate.task != ran.task, isIndependent(candidate, ran) {
          asleep.insert(candidate.task)
        }
      }
    }
    var node = Node(
      candidates: candidates, preemptions: preemptions, isForcing: isForcing, asleep: asleep,
      choice: 0)
    if let awake = candidates.firstIndex(where: { !asleep.contains($0.task) }) {
      node.choice = awake
    } else {
      isRedundant = true
    }
    return node
  }

  private mutating func number(of place: Place) -> Int {
    guard place.isExclusive else { return 0 }
    if let known = places[place] { return known }
    places[place] = places.count + 1
    return places.count
  }

  private func isIndependent(_ first: Candidate, _ second: Candidate) -> Bool {
    first.place == 0 || second.place == 0 || first.place != second.place
  }

  /// Makes the next run the next one of the search.
  ///
  /// - Returns: `false` where there is none.
  mutating func advance() -> Bool {
    depth = 0
    places = [:]
    isRedundant = false
    while var node = path.popLast() {
      node.asleep.insert(node.candidates[node.choice].task)
      let isExhausted = node.isForcing && bound.map { node.preemptions >= $0 } ?? false
      let next =
        isExhausted
        ? nil : node.candidates.indices.first { !node.asleep.contains(node.candidates[$0].task) }
      if let next {
        node.choice = next
        path.append(node)
        return true
      }
    }
    return false
  }
}
