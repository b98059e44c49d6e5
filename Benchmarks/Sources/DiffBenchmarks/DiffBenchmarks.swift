import AsyncDiff
import DiffWorkloads
import Foundation
import Measure

/// Prints the tables of the section "Diffing" in Benchmarks/README.md.
@main
struct DiffBenchmarks {
  /// Runs the parts that the arguments name, or all parts if there are no arguments.
  static func main() async {
    let parts: [(name: String, run: () async -> Void)] = [
      ("memory", reportMemory),
      ("lists", reportLists),
      ("sections", reportSections),
      ("lists-alone", reportListsAlone),
      ("adversaries", reportAdversaries),
      ("section-tasks", reportSectionTasks),
      ("shapes", reportShapes),
      ("shares", reportShares),
      ("grid", reportGrid),
      ("trees", reportTrees),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    Report.header("Diffing")
    for part in parts where wanted.isEmpty || wanted.contains(part.name) { await part.run() }
  }

  static func uuid(_ random: inout SplitMix64) -> UUID {
    unsafeBitCast((random.next(), random.next()), to: UUID.self)
  }

  static func int(_ random: inout SplitMix64) -> Int { Int(truncatingIfNeeded: random.next()) }

  /// Measures memory.
  ///
  /// This part runs first, while the process has no freed memory to reuse.
  static func reportMemory() {
    guard let workload = FlatWorkload.edits(id: uuid).first(where: { $0.name == "b" }) else {
      return
    }
    let ours = memory { consume(Changeset(from: workload.old, to: workload.new)) }?.peak
    let dictionary = memory { consume(dictionaryJoin(workload.old, workload.new)) }?.peak
    guard let ours, let dictionary else { return }
    print(
      "Peak memory of the first diff of b: \(figure(Double(ours) / 1e6)) MB; "
        + "a dictionary join \(figure(Double(dictionary) / 1e6)) MB.\n")
  }

  static func reportLists() {
    let report = Report([
      "rows", "ms", "stdlib ms", "ratio", "Dictionary ms", "ratio",
      "deletes / inserts / moves / updates",
    ])
    for workload in FlatWorkload.edits(id: uuid) + FlatWorkload.changes(id: uuid) {
      row(workload, "UUID", report)
    }
    for workload in FlatWorkload.edits(id: int) { row(workload, "Int", report) }
    for workload in FlatWorkload.edits(id: { uuid(&$0).uuidString }) {
      row(workload, "String", report)
    }
  }

  /// Measures only this package.
  ///
  /// A launch is short, so you can alternate between two versions of the package.
  static func reportListsAlone() {
    let report = Report(["rows", "ms"])
    func row<ID>(_ workload: FlatWorkload<ID>, _ ids: String) {
      let time = minimum(of: 25, repetitions: workload.repetitions) {
        consume(Changeset(from: workload.old, to: workload.new))
      }
      report.row(
        "\(workload.name) \(ids)", figure(time.milliseconds * Double(workload.repetitions)))
    }
    for workload in FlatWorkload.edits(id: uuid) + FlatWorkload.changes(id: uuid) {
      row(workload, "UUID")
    }
    for workload in FlatWorkload.edits(id: int) { row(workload, "Int") }
  }

  static func row<ID>(_ workload: FlatWorkload<ID>, _ ids: String, _ report: Report) {
    let (old, new, repetitions) = (workload.old, workload.new, workload.repetitions)
    let times = minima(
      repetitions: repetitions,
      [
        { consume(Changeset(from: old, to: new)) },
        { consume(dictionaryJoin(old, new)) },
      ])
    // The standard library takes seconds for large edits, so they run only once.
    var standard = minimum(of: 1, repetitions: repetitions) { consume(difference(old, new)) }
    if standard.milliseconds < 100 {
      standard = min(
        standard, minimum(of: 8, repetitions: repetitions) { consume(difference(old, new)) })
    }
    let change = Changeset(from: old, to: new)
    func total(_ time: Duration) -> String { figure(time.milliseconds * Double(repetitions)) }
    report.row(
      "**\(workload.name)** \(ids): \(workload.summary)", total(times[0]), total(standard),
      ratio(standard, to: times[0]), total(times[1]), ratio(times[1], to: times[0]),
      "\(change.deletes.count) / \(change.inserts.count) / \(change.moves.count)"
        + " / \(change.updates.count)")
  }

  static func reportSections() {
    let workload = SectionedWorkload.changes(id: uuid)
    let old = DiffableSnapshot(sections: workload.old)
    let new = DiffableSnapshot(sections: workload.new)
    let time = minimum(of: 15) { consume(old.batches(to: new)) }
    let batches = old.batches(to: new)
    func sum(_ count: (BatchUpdates<RowSection<UUID>>) -> Int) -> Int {
      batches.reduce(0) { $0 + count($1) }
    }
    let report = Report([
      "sections", "ms", "stages", "section moves", "deletes / inserts / moves / updates",
    ])
    report.row(
      "**i** UUID: \(workload.summary)", figure(time.milliseconds), "\(batches.count)",
      "\(sum(\.sectionMoves.count))",
      "\(sum(\.itemDeletes.count)) / \(sum(\.itemInserts.count)) / \(sum(\.itemMoves.count))"
        + " / \(sum(\.itemUpdates.count))")
  }

  static func difference<ID>(
    _ old: [Row<ID>], _ new: [Row<ID>]
  ) -> CollectionDifference<Row<ID>> {
    new.difference(from: old) { $0.diffIdentifier == $1.diffIdentifier }
  }

  /// Compares two lists with a dictionary, which finds deletes, inserts and pairs, but no moves.
  static func dictionaryJoin<ID>(_ old: [Row<ID>], _ new: [Row<ID>]) -> [Int?] {
    var offsets: [ID: Int] = [:]
    offsets.reserveCapacity(old.count)
    for (offset, row) in old.enumerated() { offsets[row.diffIdentifier] = offset }
    return new.map { offsets.removeValue(forKey: $0.diffIdentifier) }
  }
}
