@testable import AsyncOptical

/// The value that knows what is shown, and what loads in flight may not have read.
@Suite struct PendingChangesTests {
  private typealias Pending = PendingChanges<[Int], Int, String>

  @Test(
    "O15: each load gets the edits that were made since it began, in order, and none is kept longer",
    arguments: 0..<50 as Range<UInt64>)
  func loads(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pending = Pending()
    /// The loads in flight, each with the edits since it began.
    var model: [Int: [Int]] = [:]
    for edit in 0..<300 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where model.count < 5:
        let load = pending.nextNumber()
        pending.beginLoad(load)
        model[load] = []
      case 1:
        guard let load = model.keys.sorted().randomElement(using: &generator) else { continue }
        pending.endLoad(load)
        model[load] = nil
      default:
        pending.keep(edit)
        for load in model.keys { model[load]?.append(edit) }
      }
      let areEqual = model.allSatisfy { pending.edits(since: $0.key) == $0.value }
      #expect(areEqual && pending.isAtRest == model.isEmpty)
      // Of the edits none is kept that no load in flight asks for.
      #expect(pending.edits(since: 0).count == model.values.map(\.count).max() ?? 0)
    }
  }

  @Test("O15: what is shown goes by its commit, in the order in which it was made, and so many")
  func shown() {
    var pending = Pending()
    func change(_ commit: Int, _ change: Int, isExpected: Bool) -> Pending.Shown {
      Pending.Shown(
        commit: commit, message: nil, confirmation: isExpected ? "confirmed" : nil,
        withdrawal: "withdrawn", change: change)
    }
    pending.show(change(1, 10, isExpected: false), over: [0])
    pending.show(change(2, 20, isExpected: true), over: [9])
    pending.show(change(1, 11, isExpected: true), over: [9])
    pending.show(change(1, 12, isExpected: true), over: [9])
    #expect(pending.confirmed == [0])
    #expect(!pending.begins(with: 1) && !pending.begins(with: 2))
    #expect(pending.expected(of: 1)?.change == 11 && pending.expected(of: 3)?.change == nil)
    #expect(pending.remove(2, of: 1).map(\.change) == [10, 11])
    #expect(pending.begins(with: 2) && !pending.begins(with: 1))
    #expect(pending.remove(5, of: 1).map(\.change) == [12])
    #expect(pending.remove { $0.change == 20 }.map(\.change) == [20])
    #expect(pending.shown.isEmpty)
  }
}
