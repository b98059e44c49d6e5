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

  /// Chooses a job; `nil` where the current one goes on, in the middle of it.
  mutating func choose(
    from candidates: some Collection<Int>, of jobs: borrowing ReadyList, at moment: DecisionMoment
  ) -> Int? {
    var sum = moment.isInJob ? speeds[moment.current] : 0
    for index in candidates { sum += speeds[jobs[index].task] }
    var left = generator.index(below: sum)
    for index in candidates {
      left -= speeds[jobs[index].task]
      if left < 0 { return index }
    }
    return nil
  }
}
