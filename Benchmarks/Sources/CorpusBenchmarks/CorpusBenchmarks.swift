import ExploreTesting
import Measure
import Zoo

/// Measures how many seeds each strategy needs to find each known bug, and how long a run of the corrected code takes.
///
/// `CorpusBenchmarks [repeats [words]]` measures the bugs whose names contain one of the words, or all bugs if there are no
/// words.
@main
struct CorpusBenchmarks {
  static let strategies: [(name: String, strategy: ExplorationStrategy)] = [
    ("mixed", .mixed), ("uniform", .uniform), ("PCT", .pct),
  ]
  /// The number of seeds after which a bug that was not found counts as missed.
  static let limit = 1_000

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let repeats = arguments.first.flatMap { Int($0) } ?? 50
    let words = arguments.dropFirst()
    let animals = Animal.all.filter { animal in
      words.isEmpty || words.contains { animal.name.contains($0) }
    }
    Report.header("Known bugs: seeds until found, median (worst) of \(repeats)")
    let report = Report(
      ["bug"] + strategies.map(\.name) + ["from seed 0", "fixed, µs per run"])
    var all: [[Int]] = strategies.map { _ in [] }
    var firsts: [Int] = []
    var cost = 0.0
    for animal in animals {
      var cells: [String] = []
      for (index, strategy) in strategies.enumerated() {
        var needed: [Int] = []
        for start in 1..<repeats + 1 {
          needed.append(await seeds(for: animal, strategy.strategy, from: start * 100_000))
        }
        all[index] += needed
        cells.append(needed.isEmpty ? "" : text(of: needed))
      }
      let first = repeats == 0 ? 0 : await seeds(for: animal, .mixed, from: 0)
      firsts.append(first)
      let microseconds = await time(of: animal)
      cost += microseconds
      report.row([animal.name] + cells + [said(first), figure(microseconds)])
    }
    report.row(["all"] + all.map(text) + [text(of: firsts), figure(cost)])
  }

  /// The number of seeds that are needed to find a bug, or `Int.max` if the bug is not found within the limit.
  private static func seeds(
    for animal: Animal, _ strategy: ExplorationStrategy, from start: Int
  ) async -> Int {
    let exploration = Exploration(strategy: strategy, patience: .milliseconds(1))
    for number in 0..<limit {
      let run = await exploration.run(seed: UInt64(start + number)) {
        if await !animal.run(true) { throw Escaped() }
      }
      if run.failure != nil { return number + 1 }
    }
    return .max
  }

  private struct Escaped: Error {}

  /// The time of a run of the corrected code, in microseconds.
  private static func time(of animal: Animal) async -> Double {
    let exploration = Exploration(seeds: 320)
    let time = await minimum(of: 9) {
      consume(await exploration.firstFailure { consume(await animal.run(false)) })
    }
    return time.nanoseconds / 1e3 / Double(exploration.seeds)
  }

  private static func said(_ seed: Int) -> String { seed == .max ? "–" : "\(seed)" }

  /// The median and the maximum number of seeds, and the number of searches that missed the bug.
  private static func text(of needed: [Int]) -> String {
    let sorted = needed.sorted()
    let lost = needed.count { $0 == .max }
    let worst = sorted.last { $0 < .max }
    guard let worst else { return "–, all lost" }
    let text = "\(said(sorted[sorted.count / 2])) (\(worst))"
    return lost == 0 ? text : text + ", \(lost) lost"
  }
}
