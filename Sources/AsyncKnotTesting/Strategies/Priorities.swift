/// The priorities of probabilistic concurrency testing, by task.
struct Priorities {
  /// How many jobs in a row a task may have while others are ready, before it counts as spinning.
  private static let patience = 200

  private var generator: SeededGenerator
  private var byTask: [UInt64] = []
  /// The lowest priority so far; a task that falls behind all others gets one below.
  private var lowest: UInt64 = 1 << 63
  /// The numbers of the decisions before which the running task falls behind all others.
  private var changePoints: [Int]
  /// How many jobs of one task ran in a row while others were ready.
  private var streak = 0

  /// Creates priorities for a strategy that does not use them.
  init() {
    generator = SeededGenerator(seed: 0)
    changePoints = []
  }

  init(depth: Int, length: Int, generator: SeededGenerator) {
    precondition(depth >= 1, "pct(depth:): needs a depth of at least 1; got \(depth)")
    var generator = generator
    changePoints = length < 1 ? [] : (1..<depth).map { _ in generator.index(below: length) }
    changePoints.sort(by: >)
    self.generator = generator
  }

  /// Gives a task that is new a priority above every lowered one.
  mutating func meet(_ task: Int) {
    while byTask.count <= task { byTask.append(generator.next() | (1 << 63)) }
  }

  mutating func choose(from jobs: borrowing ReadyList, current: Int, decision: Int) -> Int {
    var choice = highest(jobs)
    while isLowered(jobs[choice].task, at: decision) { choice = highest(jobs) }
    streak = jobs.count > 1 && jobs[choice].task == current ? streak + 1 : 0
    if streak == Self.patience {
      // It may be spinning until another one has run.
      lower(current)
      streak = 0
      choice = highest(jobs)
    }
    return choice
  }

  mutating func choosePreempting(
    from indices: [Int], of jobs: borrowing ReadyList, current: Int, decision: Int
  ) -> Int? {
    _ = isLowered(current, at: decision)
    var best = indices[0]
    for index in indices where byTask[jobs[index].task] > byTask[jobs[best].task] { best = index }
    return byTask[jobs[best].task] > byTask[current] ? best : nil
  }

  /// Lowers a task where a change point is due at this decision.
  ///
  /// - Returns: Whether it was lowered, so that the choice has to be made again.
  private mutating func isLowered(_ task: Int, at decision: Int) -> Bool {
    guard let next = changePoints.last, next <= decision else { return false }
    changePoints.removeLast()
    lower(task)
    return true
  }

  /// Puts a task behind all others.
  private mutating func lower(_ task: Int) {
    lowest -= 1
    byTask[task] = lowest
  }

  private func highest(_ jobs: borrowing ReadyList) -> Int {
    var best = 0
    for index in 1..<jobs.count where byTask[jobs[index].task] > byTask[jobs[best].task] {
      best = index
    }
    return best
  }
}
