import AsyncKnotTesting
import Testing

@testable import AsyncDiff

/// Stages of large changes, and the choice of the sections that move.
struct StagingSizeTests {
  @Test("D14: a change of 40,000 sections that all give and receive is staged on a small stack")
  func manySections() async {
    let count = 40_000
    let order = (0..<count).map { $0 ^ 1 }
    let old = Days(
      sections: (0..<count).map { Day("\($0)", ids: [$0]) }
        + [Day("gone", ids: Array(count..<2 * count))])
    let new = Days(
      sections: order.map { Day("\($0)", ids: [count + $0]) }
        + [Day("come", ids: Array(0..<count))])
    // Tasks off the main actor have the small stacks.
    let stages = await Task.detached { old.batches(to: new) }.value
    let isRight = stages.count == 3 && stages.last?.snapshot == new
    #expect(isRight)
  }

  @Test("D2, D6: of equally short choices of section moves, the one with one stage is taken")
  func fewestStages() {
    let old = Days(sections: [Day("a", ids: [1]), Day("b", ids: [2]), Day("c", ids: [3])])
    let new = Days(sections: [Day("c", ids: [3]), Day("b", ids: [2, 4]), Day("a", ids: [1])])
    let stages = old.batches(to: new)
    #expect(stages.map(\.sectionMoves) == [[.init(from: 0, to: 2), .init(from: 2, to: 0)]])
  }

  @Test("D14: a list between two stages is kept as runs, however long it is")
  func runs() {
    let list = MergedList(
      old: 1_000_000, new: 1_000_000, goes: [(10, 1), (500_000, 2)], comes: [(20, 1), (30, 2)],
      after: 1)
    #expect(list.count == 1_000_000)
    #expect(list.runs.count == 7)
    #expect(list.position(ofOld: 500_000) == 500_000 && list.position(ofNew: 20) == 20)
  }

  @Test("A4: a changeset whose parts do not ascend is refused")
  func unsorted() async {
    let change = Changeset(deletes: [3, 1])
    #expect(!change.isValid(from: 5, to: 3))
    await #expect(processExitsWith: .failure) {
      _ = Changeset(deletes: [3, 1]).offsets
    }
  }
}
