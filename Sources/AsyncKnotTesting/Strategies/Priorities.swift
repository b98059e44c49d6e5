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

  mutating func choose(from jobs: borrowing ReadyList, current: Int) -> Int {
    var choice = highest(jobs)
    let task = jobs[choice].task
    streak = jobs.count > 1 && task == current ? streak + 1 : 0
    // A task that goes on for long may be spinning until another one has run.
    if streak == Self.patience || generator.index(below: rarity) == 0 {
      lower(task)
      streak = 0
      choice = highest(jobs)
    }
    return choice
  }

  /// Chooses a job that runs in the middle of the current one; `nil` lets the current one go on.
  mutating func choosePreempting(
    from indices: [Int], of jobs: borrowing ReadyList, current: Int
  ) -> Int? {
    if generator.index(below: rarity) == 0 { lower(current) }
    let best = indices.max { byTask[jobs[$0].task] < byTask[jobs[$1].task] }
    return best.flatMap { byTask[jobs[$0].task] > byTask[current] ? $0 : nil }
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
