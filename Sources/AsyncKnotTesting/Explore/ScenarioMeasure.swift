/// How long a scenario is, and which of its tasks has how many jobs: what one run has shown.
struct ScenarioMeasure: Sendable {
  /// How often a job might have been chosen.
  var decisions = 0
  /// How many jobs a task had, by its key, with those of the tasks that it made.
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
