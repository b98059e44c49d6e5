import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import Testing

/// What the strict surface says of updates of sections.
@Suite struct StrictSectionTests {
  private let old = Days(sections: [Day("a", ids: [1]), Day("b", ids: [2])])

  private func rule(
    _ new: Days, moves: [Changeset.Move] = [], updates: [Changeset.Move]
  ) -> BatchViolation.Rule? {
    var rows = StrictRows(old)
    let batch = BatchUpdates(
      from: old, to: new, .init(sectionMoves: moves, sectionUpdates: updates))
    do {
      try rows.perform(batch)
      return nil
    } catch {
      #expect(rows.matches(old), "a refused batch changes nothing")
      return error.rule
    }
  }

  @Test("D13: a section that changes has an update, which names it where it was and where it is")
  func sectionUpdates() {
    let new = Days(sections: [Day("b", ids: [2]), Day("a", header: "new", ids: [1])])
    let move = Changeset.Move(from: 0, to: 1)
    #expect(rule(new, moves: [move], updates: [move]) == nil)
    #expect(rule(new, moves: [move], updates: []) == .missingUpdate)
    #expect(rule(new, moves: [move], updates: [move, move]) == .namedTwice)
    #expect(rule(new, moves: [move], updates: [.init(from: 1, to: 1)]) == .wrongPlace)
    #expect(rule(new, moves: [move], updates: [.init(from: 0, to: 2)]) == .outOfBounds)
  }
}
