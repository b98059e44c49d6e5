/// The priorities of probabilistic concurrency testing, by task.
struct Priorities {
  private var generator: SeededGenerator
  private var byTask: [UInt64] = []
  /// The priority of the task that was lowered last; at first, a lower bound of all priorities.
  ///
  /// The next task that is lowered gets this number minus 1.
  private var lowest: UInt64 = 1 << 63
  /// The inverse of the probability that a decision lowers the task that would run next.
  private let rarity: Int

  init(generator: SeededGenerator) {
    self.generator = generator
    rarity = 4 << self.generator.index(below: 6)
  }

  /// Gives a new task a priority above every lowered one.
  mutating func meet(_ task: Int) {
    while byTask.count <= task { byTask.append(generator.next() | (1 << 63)) }
  }

  /// Chooses the job with the highest priority; `nil` if that is the current job.
  mutating func choose(
    from candidates: some Collection<Int>, of jobs: borrowing ReadyList, at moment: DecisionMoment
  ) -> Int? {
    var choice = highest(candidates, jobs, moment)
    let task = choice.map { jobs[$0].task } ?? moment.current
    if generator.index(below: rarity) == 0 {
      lower(task)
      choice = highest(candidates, jobs, moment)
    }
    return choice
  }

  /// Gives a task the lowest priority.
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
