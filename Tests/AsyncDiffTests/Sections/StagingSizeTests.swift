@testable import AsyncDiff

/// Stages of large changes.
struct StagingSizeTests {
  @Test("D14: a change that moves items in 40,000 sections is staged on a small stack")
  func manySections() async {
    let count = 40_000
    let order = (0..<count).map { $0 ^ 1 }
    let old = Days(
      sections: (0..<count).map { Day("\($0)", ids: [$0]) }
        + [Day("gone", ids: Array(count..<2 * count))])
    let new = Days(
      sections: order.map { Day("\($0)", ids: [count + $0]) }
        + [Day("come", ids: Array(0..<count))])
    // Tasks off the main actor run on threads with small stacks.
    let stages = await Task.detached { old.batches(to: new) }.value
    let isRight = stages.count == 3 && stages.last?.snapshot == new
    #expect(isRight)
  }
}
