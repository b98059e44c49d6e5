import AsyncDiff
import DiffWorkloads
import Foundation
import Measure

@main
struct DiffBenchmarks {
  static func main() {
    Report.header("Diffing")
    let report = Report([
      "workload", "ms", "stdlib ms", "Dictionary ms", "deletes / inserts / moves / updates",
    ])
    let uuids =
      FlatWorkload<UUID>.edits { random in uuid(&random) }
      + FlatWorkload<UUID>.changes { random in uuid(&random) }
    for workload in uuids { row(workload, "UUID", report) }
    for workload in FlatWorkload<Int>.edits(id: { Int(truncatingIfNeeded: $0.next()) }) {
      row(workload, "Int", report)
    }
    for workload in FlatWorkload<String>.edits(id: { random in uuid(&random).uuidString }) {
      row(workload, "String", report)
    }
  }

  static func uuid(_ random: inout SplitMix64) -> UUID {
    let words = (random.next(), random.next())
    return UUID(uuid: unsafeBitCast(words, to: uuid_t.self))
  }

  static func row<ID>(_ workload: FlatWorkload<ID>, _ ids: String, _ report: Report) {
    let (old, new) = (workload.old, workload.new)
    let change = Changeset(from: old, to: new)
    let ours = minimum(of: 15) {
      for _ in 0..<workload.repetitions { consume(Changeset(from: old, to: new)) }
    }
    let dictionary = minimum(of: 3) {
      for _ in 0..<workload.repetitions { consume(dictionaryJoin(old, new)) }
    }
    report.row(
      "\(workload.name), \(ids): \(workload.summary)", figure(ours.milliseconds),
      "–", figure(dictionary.milliseconds),
      "\(change.deletes.count) / \(change.inserts.count) / \(change.moves.count) / \(change.updates.count)"
    )
  }

  /// What a plain dictionary gives: deletes, inserts and pairs, no moves.
  static func dictionaryJoin<ID>(_ old: [Row<ID>], _ new: [Row<ID>]) -> [Int?] {
    var offsets: [ID: Int] = [:]
    offsets.reserveCapacity(old.count)
    for (offset, row) in old.enumerated() { offsets[row.diffIdentifier] = offset }
    return new.map { offsets.removeValue(forKey: $0.diffIdentifier) }
  }
}
