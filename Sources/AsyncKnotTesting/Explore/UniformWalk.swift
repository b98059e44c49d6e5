/// The weights of a uniform walk: how much of a task and of those it will make is still to come.
///
/// Each time a job is chosen with the probability that its task's share of the rest is. Were tasks
/// independent, each order of all jobs would be as likely as any other; choosing each ready task alike
/// prefers orders in which short tasks end early.
///
/// Zhao, Wolff, Mathur and Roychoudhury, *Selectively Uniform Concurrency Testing*, 2025.
struct UniformWalk {
  private let measure: ScenarioMeasure
  private var generator: SeededGenerator
  /// What is still to come, by task.
  private var rest: [Int] = []

  init(_ measure: ScenarioMeasure, generator: SeededGenerator) {
    self.measure = measure
    self.generator = generator
  }

  /// Gives a task that is new its share of what its maker had.
  mutating func meet(_ task: Int, of tasks: borrowing TaskTable) {
    while rest.count <= task {
      let entry = tasks.entries[rest.count]
      let share = measure.jobs[entry.key] ?? 0
      if entry.parent >= 0 { rest[entry.parent] -= share }
      rest.append(share)
    }
  }

  mutating func choose(from jobs: borrowing ReadyList) -> Int {
    // A task that has more to do than it had when it was measured still has its turn.
    var sum = 0
    for index in 0..<jobs.count { sum += max(1, rest[jobs[index].task]) }
    var left = generator.index(below: sum)
    for index in 0..<jobs.count {
      left -= max(1, rest[jobs[index].task])
      if left < 0 { return index }
    }
    return 0
  }

  mutating func took(_ task: Int) { rest[task] -= 1 }
}
