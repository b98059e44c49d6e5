import AsyncKnotTesting
import Testing

@testable import AsyncDiff

@Suite struct IncreasingChoicesTests {
  /// All longest increasing subsequences, by trying every subset.
  private func all(_ values: [Int]) -> [[Int]] {
    var longest: [[Int]] = [[]]
    for choice in 0..<(1 << values.count) {
      let kept = values.indices.filter { choice >> $0 & 1 == 1 }
      guard zip(kept, kept.dropFirst()).allSatisfy({ values[$0] < values[$1] }) else { continue }
      if kept.count > longest[0].count { longest = [] }
      if longest.isEmpty || kept.count == longest[0].count { longest.append(kept) }
    }
    return Array(Set(longest))
  }

  @Test("D2: of all shortest choices the best is found, and all of them are tried")
  func best() {
    var random = SeededGenerator(seed: 2)
    var wrong = 0
    for _ in 0..<2_000 {
      let values = Array(0..<Int.random(in: 1...8, using: &random)).shuffled(using: &random)
      let scores = values.map { _ in Int.random(in: 0...3, using: &random) }
      let choices = IncreasingChoices(values)
      let expected = all(values)
      let best = choices.best { scores[$0.position] }
      func sum(_ kept: [Int]) -> Int { kept.reduce(0) { $0 + scores[$1] } }
      if !expected.contains(best) || sum(best) != expected.map(sum).max() { wrong += 1 }
      var tried: Set<[Int]> = []
      _ = choices.first(ofAtMost: 100_000) { kept in
        tried.insert(kept)
        return false
      }
      if tried != Set(expected) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("D14: 100,000 levels need no deep stack, and a choice one pass over the members")
  func deep() {
    // Each pair of neighbours is swapped: there are two members on each of 50,000 levels.
    let choices = IncreasingChoices((0..<100_000).map { $0 ^ 1 })
    var tried = 0
    let found = choices.first(ofAtMost: 3) { kept in
      tried += kept.count == 50_000 ? 1 : 0
      return false
    }
    #expect(found == nil && tried == 3)
  }

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
      _ = Changeset(deletes: [3, 1]).newOffset(of: 2)
    }
  }
}
