import Measure

/// One way of performing a workload.
struct Contender: Sendable {
  let name: String
  let run: @Sendable () async -> Void

  init(_ name: String, _ run: @escaping @Sendable () async -> Void) {
    self.name = name
    self.run = run
  }
}

/// A table that compares contenders, which take turns in one launch.
struct Race {
  private let report: Report
  private let runs: Int

  init(_ title: String, runs: Int = 7) {
    print("\n#### \(title)")
    report = Report(["workload", "AsyncKnot, ns", "others, ns (times ours)"])
    self.runs = runs
  }

  /// Runs the contenders alternately, and prints the time per operation in the shortest run of each.
  func row(
    _ workload: String, operations: Int, _ ours: @escaping @Sendable () async -> Void,
    _ others: Contender...
  ) async {
    var best = [Double](repeating: .infinity, count: others.count + 1)
    for _ in 0..<runs {
      for (index, run) in ([ours] + others.map(\.run)).enumerated() {
        let start = ContinuousClock.now
        await run()
        let time = (ContinuousClock.now - start).nanoseconds
        best[index] = min(best[index], time / Double(operations))
      }
    }
    let compared = zip(others, best.dropFirst()).map { other, time in
      "\(other.name) \(figure(time)) (\(figure(time / best[0]))×)"
    }
    report.row(workload, figure(best[0]), compared.joined(separator: " · "))
  }
}
