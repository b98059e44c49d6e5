import AsyncDiff
import DiffWorkloads
import Measure

/// Measures whether comparing matched sections in child tasks saves time.
func reportSectionTasks() async {
  let report = Report(["sections × rows, 1 % changed", "one task, ms", "two child tasks, ms"])
  for (sections, rows) in [(10, 1_000), (100, 1_000), (100, 10_000)] {
    let old = (0..<sections).map { articles(in: $0, rows: rows, everyHundredth: 0) }
    let new = (0..<sections).map { articles(in: $0, rows: rows, everyHundredth: 1) }
    let alone = minimum(of: 25) { consume(changes(from: old, to: new, first: 0, step: 1)) }
    let together = await minimum(of: 25) {
      await withDiscardingTaskGroup { group in
        for first in 0..<2 {
          group.addTask { consume(changes(from: old, to: new, first: first, step: 2)) }
        }
      }
    }
    report.row(
      "\(sections) × \(rows)", figure(alone.milliseconds), figure(together.milliseconds))
  }
}

private struct Article: Diffable, Equatable, Sendable {
  let diffIdentifier: Int
  let revision: Int
}

private func articles(in section: Int, rows: Int, everyHundredth revision: Int) -> [Article] {
  (0..<rows).map { row in
    Article(
      diffIdentifier: section * rows + row, revision: row.isMultiple(of: 100) ? revision : 0)
  }
}

private func changes(from old: [[Article]], to new: [[Article]], first: Int, step: Int) -> Int {
  stride(from: first, to: old.count, by: step).reduce(0) { count, section in
    count + Changeset(from: old[section], to: new[section]).count
  }
}
