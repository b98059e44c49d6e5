import Measure

/// One way of doing a workload.
struct Contender: Sendable {
  let name: String
  let run: @Sendable () async -> Void

  init(_ name: String, _ run: @escaping @Sendable () async -> Void) {
    self.name = name
    self.run = run
  }
}

/// Prints a table.
///
/// The contenders of a row take turns in one run.
struct Race {
  private let report: Report
  private let runs: Int

  init(_ title: String, runs: Int = 7) {
    print("\n#### \(title)")
    report = Report(["workload", "AsyncKnot, ns", "next to it, ns (times ours)"])
    self.runs = runs
  }

  /// Runs the contenders alternately.
  ///
  /// A figure is the shortest run divided by its number of operations.
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
