@testable import AsyncDiff

@Suite struct OrderAcrossLeavesTests {
  private struct Row: Diffable, Identifiable, Equatable, Sendable { let id: Int }

  @Test("D26: rows are sorted again even if each leaf of the tree is already in the new order")
  func betweenLeaves() {
    let table = LiveTable((0..<200).map { Row(id: $0) })
    let first = LiveQuery(of: Row.self).sorted(by: \.id)
    // With one of these periods, each leaf is in the new order, but the sequence of the leaves is not.
    for period in 2...64 {
      var derived = DerivedSnapshot(first, of: table)
      let next = LiveQuery(of: Row.self).sorted { $0.id % period }
      _ = derived.update(to: table, next)
      let isSame = derived.snapshot == next.snapshot(of: table)
      #expect(isSame, "period \(period)")
    }
  }
}
