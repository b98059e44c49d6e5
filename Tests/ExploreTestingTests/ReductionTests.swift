@testable import ExploreTesting

/// The order in which switches are removed from a failing schedule, tested without runs.
@Suite struct ReductionTests {
  @Test(
    "X5: the reduced schedule fails, and passes if any single switch is removed",
    arguments: 0..<300)
  func minimum(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let points = [0, ForcedSwitch.Moment.chance, ForcedSwitch.Moment.interruption]
    let first = (0..<Int.random(in: 1...12, using: &random)).map { step in
      ForcedSwitch(
        after: ForcedSwitch.Moment(
          task: .random(in: 0..<3, using: &random), step: step,
          point: points[Int.random(in: 0..<3, using: &random)]),
        run: .random(in: 0..<3, using: &random))
    }
    // A schedule may fail even if a longer one passes, and pass even if a longer one fails.
    func fails(_ switches: [ForcedSwitch]) -> Bool {
      let steps = switches.reduce(UInt64(0)) { $0 | 1 << $1.after.step }
      var random = SeededGenerator(seed: seed << 12 | steps)
      return switches == first || random.integer(in: 0...2) == 0
    }
    var reduction = Reduction(first)
    while let attempt = reduction.next() { _ = reduction.take(fails(attempt) ? attempt : nil) }
    let best = reduction.best
    #expect(fails(best))
    for index in best.indices {
      var rest = best
      rest.remove(at: index)
      #expect(!fails(rest))
    }
  }
}
