/// The priorities of probabilistic concurrency testing, by task.
struct Priorities {
  /// How many jobs in a row a task may have while others are ready, before it counts as spinning.
  private static let patience = 200

  private var generator: SeededGenerator
  private var byTask: [UInt64] = []
  /// The lowest priority so far; a task that falls behind all others gets one below.
  private var lowest: UInt64 = 1 << 63
  /// At one decision in so many the running task falls behind all others.
  private let rarity: Int
  /// How many jobs of one task ran in a row while others were ready.
  private var streak = 0

  init(generator: SeededGenerator) {
    self.generator = generator
    rarity = 4 << self.generator.index(below: 6)
  }

  /// Gives a task that is new a priority above every lowered one.
  mutating func meet(_ task: Int) {
    while byTask.count <= task { byTask.append(generator.next() | (1 << 63)) }
  }

  /// Chooses the job of the highest priority; `nil` where that is the current one, in the middle of it.
  mutating func choose(
    from candidates: some Collection<Int>, of jobs: borrowing ReadyList, at moment: DecisionMoment
  ) -> Int? {
    var choice = highest(candidates, jobs, moment)
    let task = choice.map { jobs[$0].task } ?? moment.current
    if !moment.isInJob {
      streak = candidates.count > 1 && task == moment.current ? streak + 1 : 0
    }
    // A task that goes on for long may be spinning until another one has run.
    if streak == Self.patience || generator.index(below: rarity) == 0 {
      lower(task)
      streak = 0
      choice = highest(candidates, jobs, moment)
    }
    return choice
  }

  /// Puts a task behind all others.
  private mutating func lower(_ task: Int) {
    lowest -= 1
    byTask[task] = lowest
  }

  private func highest(
    _ candidates: some Collection<Int>, _ jobs: borrowing ReadyList, _ moment: DecisionMoment
  ) -> Int? {
    var best: Int?
    var priority = moment.isInJob ? byTask[moment.current] : 0
    for index in candidates where byTask[jobs[index].task] > priority {
      best = index
      priority = byTask[jobs[index].task]
    }
    return best
  }
}
