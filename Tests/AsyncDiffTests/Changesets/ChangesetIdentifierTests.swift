@testable import AsyncDiff
import Foundation

/// Identifiers of every kind, including some that are chosen to collide.
struct ChangesetIdentifierTests {
  /// Returns the first complaint about changesets of randomly edited rows, or `nil`.
  ///
  /// `id` turns a row's number into its identifier.
  private func complaint<ID: Hashable & Sendable>(
    count: Int, rounds: Int, _ id: (Int) -> ID
  ) -> String? {
    firstComplaint(seed: count, rounds: rounds) { random in
      let old = (0..<count).map { Row(diffIdentifier: $0) }
      let new = random.edited(old, edits: 12)
      func mapped(_ rows: [Row<Int>]) -> [Row<ID>] {
        rows.map { Row(diffIdentifier: id($0.diffIdentifier), content: $0.content) }
      }
      let (oldRows, newRows) = (mapped(old), mapped(new))
      return ChangesetOracle.complaint(
        about: Changeset(from: oldRows, to: newRows), from: oldRows, to: newRows, isMinimal: true)
    }
  }

  @Test(
    "A1, D1, D2: integers of several widths, strings, UUIDs, objects and structs can be identifiers"
  )
  func everyKind() {
    #expect(complaint(count: 60, rounds: 50) { UInt8(truncatingIfNeeded: $0) } == nil)
    #expect(complaint(count: 60, rounds: 50) { Int32(-$0) } == nil)
    #expect(complaint(count: 60, rounds: 50) { UInt32($0) } == nil)
    #expect(complaint(count: 60, rounds: 50) { UInt64($0) << 40 } == nil)
    #expect(complaint(count: 60, rounds: 50) { "identifier number \($0)" } == nil)
    #expect(complaint(count: 60, rounds: 50) { Optional($0 == 7 ? nil : $0) } == nil)
    #expect(complaint(count: 60, rounds: 50) { [$0, $0] } == nil)
    #expect(complaint(count: 60, rounds: 50) { Double($0) / 4 } == nil)
    #expect(complaint(count: 60, rounds: 50) { uuid(high: 1, low: UInt64($0)) } == nil)
    #expect(complaint(count: 60, rounds: 50) { uuid(high: UInt64($0), low: 1) } == nil)
    let objects = (0..<100).map { Named(name: "\($0)") }
    #expect(complaint(count: 60, rounds: 50) { objects[$0] } == nil)
    #expect(complaint(count: 60, rounds: 50) { ObjectIdentifier(objects[$0]) } == nil)
  }

  @Test("D2: identifiers with different bytes can be equal")
  func equalWithOtherBytes() {
    let old = [Row(diffIdentifier: 0.0), Row(diffIdentifier: 1.0)]
    let new = [Row(diffIdentifier: 1.0), Row(diffIdentifier: -0.0)]
    let change = Changeset(from: old, to: new)
    #expect(change.deletes.isEmpty && change.inserts.isEmpty && change.moves.count == 1)
  }

  @Test("D3: identifiers with equal hashes cost time only where the lists differ")
  func allAlike() {
    #expect(complaint(count: 60, rounds: 50) { Alike(number: $0) } == nil)
    Alike.comparisons = 0
    let old = (0..<20_000).map { Row(diffIdentifier: Alike(number: $0)) }
    let new = old.enumerated().filter { $0.offset % 1_000 != 500 }.map(\.element)
    #expect(Changeset(from: old, to: new).deletes.count == 20)
    #expect(Alike.comparisons < 100_000)
  }

  @Test("D3: integers that share their low bits, or are multiples of one number, do not collide")
  func equalLowBits() {
    for spacing in [1 << 32, 1 << 48, 1_000_003, 0x9E37_79B9] {
      #expect(complaint(count: 60, rounds: 20) { $0 &* spacing } == nil)
      // A quadratic join would take minutes.
      let old = (0..<20_000).map { Row(diffIdentifier: $0 &* spacing) }
      let change = Changeset(from: old, to: old.reversed())
      #expect(change.moves.count == 19_999)
    }
  }

  @Test(
    "D3: rows are matched even if the quick hashes of all integers collide", arguments: [1, 2])
  func collisions(copies: Int) {
    // With a salt of zero, the quick hash of every integer is 0.
    var hash = IdentifierHash<Int>()
    hash.salt = (0, 0)
    #expect(hash(1) == hash(2))
    let old = (0..<500).map { Row(diffIdentifier: $0 / copies) }
    let new = Array(old.reversed())
    var workspace = Workspace()
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        workspace.join(RowBuffer(old), RowBuffer(new), keying: DiffableKeying(), hash: hash)
      }
    }
    #expect((0..<500).allSatisfy { workspace.newOffsets[$0] >= 0 })
    // Rows that change sections are joined without a comparison of their contents.
    workspace.joinByTable(
      oldCount: 500, newCount: 500, hash: hash, oldID: { old[$0].diffIdentifier },
      newID: { new[$0].diffIdentifier })
    #expect((0..<500).allSatisfy { workspace.oldOffsets[$0] >= 0 })
  }

  private func uuid(high: UInt64, low: UInt64) -> UUID {
    unsafeBitCast((high, low), to: UUID.self)
  }
}

/// Identifiers that all have the same hash.
private struct Alike: Hashable {
  // Only one test uses this type, and only one thread counts.
  nonisolated(unsafe) static var comparisons = 0
  let number: Int

  func hash(into hasher: inout Hasher) {}

  static func == (lhs: Alike, rhs: Alike) -> Bool {
    comparisons += 1
    return lhs.number == rhs.number
  }
}

private final class Named: Hashable, Sendable {
  let name: String

  init(name: String) { self.name = name }

  static func == (lhs: Named, rhs: Named) -> Bool { lhs.name == rhs.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
