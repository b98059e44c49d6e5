/// A walk in which each task is chosen with a probability proportional to a speed of its own.
struct SkewedWalk {
  private var generator: SeededGenerator
  /// The speeds: powers of two from 1 to 256, by task.
  private var speeds: [Int] = []

  init(generator: SeededGenerator) { self.generator = generator }

  /// Gives a new task a speed.
  mutating func meet(_ task: Int) {
    while speeds.count <= task { speeds.append(1 << generator.index(below: 9)) }
  }

  mutating func choose(from jobs: borrowing ReadyList) -> Int {
    var sum = 0
    for index in 0..<jobs.count { sum += speeds[jobs[index].task] }
    var left = generator.index(below: sum)
    for index in 0..<jobs.count {
      left -= speeds[jobs[index].task]
      if left < 0 { return index }
    }
    return 0
  }

  /// Chooses a job that runs in the middle of the current one; `nil` lets the current one go on.
  mutating func choosePreempting(
    from indices: [Int], of jobs: borrowing ReadyList, current: Int
  ) -> Int? {
    let sum = indices.reduce(speeds[current]) { $0 + speeds[jobs[$1].task] }
    var left = generator.index(below: sum)
    return indices.first { index in
      left -= speeds[jobs[index].task]
      return left < 0
    }
  }
}
