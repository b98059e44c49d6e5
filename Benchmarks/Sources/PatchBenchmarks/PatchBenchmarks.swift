import AsyncDiff
import DiffWorkloads
import Foundation
import Measure

/// Measures the size of patches compared with full snapshots, and the time to compute the patches.
@main
struct PatchBenchmarks {
  static func main() async throws {
    Report.header("Patches")
    let report = Report([
      "change", "full, bytes", "patch, bytes", "patch to full", "sent by default", "time, µs",
    ])
    try await reportProcesses(in: report)
    try await reportTokens(in: report)
    try await reportStalled()
  }

  private static func reportProcesses(in report: Report) async throws {
    let old = [Group<Process>].processes
    var random = SplitMix64(13)
    func row(_ change: String, _ edit: (inout [Group<Process>]) -> Void) async throws {
      var new = old
      edit(&new)
      try await add(change, from: old, to: new, in: report)
    }
    try await row("1 row of 1,000 changes") { $0[3].items[40].cpu += 1 }
    try await row("1% of the rows change") { $0 = $0.changing(every: 100) }
    try await row("10% change") { $0 = $0.changing(every: 10) }
    try await row("half change") { $0 = $0.changing(every: 2) }
    try await row("all change") { $0 = $0.changing(every: 1) }
    try await row("1 row is inserted") { $0[3].items.insert(process(1), at: 40) }
    try await row("1 row is deleted") { $0[3].items.remove(at: 40) }
    try await row("1 row moves to another section") {
      $0[7].items.insert($0[3].items.remove(at: 40), at: 9)
    }
    try await row("each section is shuffled") { groups in
      for group in groups.indices {
        groups[group].items = groups[group].items.shuffled(using: &random)
      }
    }
    try await row("half of the rows are deleted") { groups in
      for group in groups.indices { groups[group].items.removeLast(50) }
    }
    try await row("nine of ten rows are deleted") { groups in
      for group in groups.indices { groups[group].items.removeFirst(90) }
    }
    try await row("all rows are replaced") { groups in
      for group in groups.indices {
        groups[group].items = (0..<100).map { process(100 * group + $0) }
      }
    }
    try await row("a section of 100 is inserted") {
      $0.insert(
        Group(name: "new", content: "100", items: (0..<100).map { process($0) }), at: 4)
    }
    try await row("a section of 100 is deleted") { $0.remove(at: 4) }
    try await row("a section moves to the end") { $0.append($0.remove(at: 0)) }
    try await row("all sections change their titles") { groups in
      for group in groups.indices { groups[group].content = "99 processes" }
    }
  }

  private static func reportTokens(in report: Report) async throws {
    let old = [Group<Token>].tokens
    var random = SplitMix64(31)
    let shuffled = old.map { group in
      var group = group
      group.items = group.items.shuffled(using: &random)
      return group
    }
    try await add("11 bytes per row: each section is shuffled", from: old, to: shuffled, in: report)
  }

  private static func process(_ number: Int) -> Process {
    Process(pid: 50_000 + number, name: "another-\(number)", cpu: number, memory: 8_192)
  }

  private static func add<Row: Diffable & Equatable & Sendable & Codable>(
    _ change: String, from old: [Group<Row>], to new: [Group<Row>], in report: Report
  ) async throws {
    let (old, new) = (DiffableSnapshot(sections: old), DiffableSnapshot(sections: new))
    let revision = SnapshotRevision(epoch: 5_000_000_000_000_000, number: 1_000)
    let batches = old.batches(to: new)
    let patch = SnapshotPatch(
      from: revision, to: 1_001, stages: batches.map { SnapshotPatch.Stage($0) })
    let full = try bytes(SnapshotMessage.snapshot(new, patch.to))
    let short = try bytes(SnapshotMessage.patch(patch))
    let time = minimum(of: 25) { consume(old.batches(to: new).map { SnapshotPatch.Stage($0) }) }
    report.row(
      change, figure(Double(full)), figure(Double(short)),
      figure(100 * Double(short) / Double(full)) + " %",
      try await isSentInFull(from: old, to: new) ? "full" : "patch",
      figure(time.nanoseconds / 1_000))
  }

  /// Whether a source sends a full snapshot rather than the patch.
  private static func isSentInFull<Row>(
    from old: DiffableSnapshot<Group<Row>>, to new: DiffableSnapshot<Group<Row>>
  ) async throws -> Bool {
    let surface = NoSurface<Row>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(old)
    var messages = source.patches().makeAsyncIterator()
    _ = await messages.next()
    try await source.apply(new)
    let message = await messages.next()
    withExtendedLifetime(surface) {}
    if case .snapshot = message { return true }
    return false
  }

  /// Measures the messages and bytes for an observer that keeps up with the source, and for an observer that stalls.
  private static func reportStalled() async throws {
    let report = Report(["10,000 changes of one row of 1,000", "messages", "bytes"])
    let surface = NoSurface<Process>()
    let source = DiffableDataSource(surface: surface)
    var groups = [Group<Process>].processes
    var fast = source.patches().makeAsyncIterator()
    try await source.apply(DiffableSnapshot(sections: groups))
    _ = await fast.next()
    var stalled = source.patches().makeAsyncIterator()
    _ = await stalled.next()
    var (count, sum) = (0, 0)
    for change in 0..<10_000 {
      groups[change % 10].items[(change / 10) % 100].cpu += 1
      try await source.apply(DiffableSnapshot(sections: groups))
      guard let message = await fast.next() else { break }
      count += 1
      sum += try bytes(message)
    }
    report.row("the follower requests each change", figure(Double(count)), figure(Double(sum)))
    guard let message = await stalled.next() else { return }
    report.row("the follower stalls during all changes", "1", figure(Double(try bytes(message))))
    withExtendedLifetime(surface) {}
  }

  private static func bytes(_ value: some Encodable) throws -> Int {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try encoder.encode(value).count
  }
}

private actor NoSurface<Row: Diffable & Equatable & Sendable>: CollectionSurface {
  func reloadData(_ snapshot: DiffableSnapshot<Group<Row>>) async {}
  func performBatchUpdates(_ batch: BatchUpdates<Group<Row>>, animated: Bool) async {}
}
