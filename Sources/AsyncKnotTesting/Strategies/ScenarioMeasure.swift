/// The length of a scenario and of its tasks, as one run has shown it.
struct ScenarioMeasure: Sendable {
  /// The number of decisions of the run.
  var decisions = 0
  /// The number of jobs of a task and of the tasks that it made, by the key of the task.
  private(set) var jobs: [UInt64: Int] = [:]

  init() {}

  init(decisions: Int, tasks: TaskTable) {
    self.decisions = decisions
    var sums = tasks.entries.map(\.steps)
    for index in tasks.entries.indices.reversed() where tasks.entries[index].parent >= 0 {
      sums[tasks.entries[index].parent] += sums[index]
    }
    for (index, entry) in tasks.entries.enumerated() { jobs[entry.key] = sums[index] }
  }
}
