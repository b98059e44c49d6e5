import ExploreTesting
import Foundation
import Testing
import Zoo

/// Prints the table of `Design/zoo.md`: how many seeds each strategy needs for each bug.
@Suite struct TableTests {
  private static let strategies: [(String, ExplorationStrategy)] = [
    ("mixed", .mixed), ("uniform", .uniform), ("PCT", .pct),
  ]

  @Test(
    "The table of the zoo: ZOO_TABLE=1 swift test -c release --filter TableTests",
    .enabled(if: ProcessInfo.processInfo.environment["ZOO_TABLE"] != nil))
  func table() async {
    print("| bug | \(Self.strategies.map(\.0).joined(separator: " | ")) |")
    print("| --- |" + String(repeating: " ---: |", count: Self.strategies.count))
    for animal in Animal.all {
      var cells: [String] = []
      for (_, strategy) in Self.strategies {
        var needed: [Int] = []
        for start in 0..<50 { needed.append(await seeds(for: animal, strategy, from: start)) }
        let lost = needed.count { $0 == Int.max }
        let found = needed.filter { $0 < Int.max }.sorted()
        let text = found.isEmpty ? "–" : "\(found[found.count / 2]) (\(found[found.count - 1]))"
        cells.append(lost == 0 ? text : text + ", \(lost) lost")
      }
      print("| \(animal.name) | \(cells.joined(separator: " | ")) |")
    }
  }

  private func seeds(
    for animal: Animal, _ strategy: ExplorationStrategy, from start: Int
  ) async -> Int {
    let exploration = Exploration(strategy: strategy)
    for number in 0..<1_000 {
      let run = await exploration.run(seed: UInt64(start * 100_000 + number)) {
        if await !animal.run(true) { throw Escaped() }
      }
      if run.failure != nil { return number + 1 }
    }
    return .max
  }
}
