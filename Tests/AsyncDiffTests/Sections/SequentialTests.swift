import AsyncDiff
import AsyncKnotTesting
import Testing

@Suite struct SequentialTests {
  @Test(
    "D17: one operation after another, a batch leads to its snapshot", arguments: [6, 30])
  func replay(alphabet: Int) {
    let complaint = firstComplaint(seed: alphabet, rounds: 1_500) { random in
      let old = random.snapshot(alphabet: alphabet)
      let batches = old.batches(to: random.snapshot(alphabet: alphabet))
      return SequentialReplay.complaint(about: batches, from: old)
    }
    #expect(complaint == nil)
  }

  @Test("D17: paths of steps mean the list as the steps before have left it")
  func steps() {
    let old = Days(sections: [Day("a", ids: [1, 2, 3, 4])])
    let new = Days(sections: [Day("a", ids: [4, 2, 9])])
    #expect(
      old.batches(to: new).flatMap(\.sequentialSteps) == [
        .deleteItem(at(0, 2)), .deleteItem(at(0, 0)), .moveItem(from: at(0, 0), to: at(0, 1)),
        .insertItem(Article(9), at: at(0, 2)),
      ])
  }
}
