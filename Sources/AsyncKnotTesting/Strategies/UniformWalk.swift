/// The weights of a uniform walk: how many jobs a task, and the tasks that it will make, have left.
///
/// The probability of a ready job is its task's share of all jobs that are left. If tasks are independent,
/// all orders of their jobs are equally likely then.
///
/// Zhao, Wolff, Mathur and Roychoudhury, *Selectively Uniform Concurrency Testing*, 2025.
struct UniformWalk {
  private let measure: ScenarioMeasure
  private var generator: SeededGenerator
  /// The number of jobs that are left, by task.
  private var rest: [Int] = []

  init(_ measure: ScenarioMeasure, generator: SeededGenerator) {
    self.measure = measure
    self.generator = generator
  }

  /// Gives a new task its share of the jobs of the task that made it.
  mutating func meet(_ task: Int, of tasks: borrowing TaskTable) {
    while rest.count <= task {
      let entry = tasks.entries[rest.count]
      let share = measure.jobs[entry.key] ?? 0
      if entry.parent >= 0 { rest[entry.parent] -= share }
      rest.append(share)
    }
  }

  mutating func choose(from jobs: borrowing ReadyList) -> Int {
    // A task may have more jobs than it had when it was measured, and must still be chosen.
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
