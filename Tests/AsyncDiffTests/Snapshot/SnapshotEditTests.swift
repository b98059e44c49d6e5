@Suite struct SnapshotEditTests {
  let snapshot = Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])])

  @Test("A11: replaceItems replaces items by identifier")
  func replacesItems() throws {
    var new = snapshot
    try new.replaceItems([Article(2, "new"), Article(4, "too")])
    #expect(new.ids == snapshot.ids)
    #expect(new.item(at: at(0, 1)).title == "new")
    #expect(new.item(at: at(1, 0)).title == "too")
  }

  @Test("D12: an edit with an unknown or duplicate identifier throws and changes nothing")
  func refusals() {
    typealias Problem = Days.EditError.Problem
    func problem(_ edit: (inout Days) throws -> Void) -> Problem? {
      var copy = snapshot
      let error = #expect(throws: Days.EditError.self) { try edit(&copy) }
      #expect(copy == snapshot)
      return error?.problem
    }
    #expect(problem { try $0.appendItems([], toSection: "x") } == .unknownSection("x"))
    #expect(problem { try $0.appendItems([Article(4)], toSection: "a") } == .duplicateItem(4))
    #expect(
      problem { try $0.appendItems([Article(9), Article(9)], toSection: "a") } == .duplicateItem(9))
    #expect(problem { try $0.insertItems([], beforeItem: 9) } == .unknownItem(9))
    #expect(problem { try $0.insertItems([Article(1)], afterItem: 1) } == .duplicateItem(1))
    #expect(problem { try $0.deleteItems([1, 9]) } == .unknownItem(9))
    #expect(problem { try $0.moveItem(1, beforeItem: 9) } == .unknownItem(9))
    #expect(problem { try $0.moveItem(1, toEndOfSection: "x") } == .unknownSection("x"))
    #expect(problem { try $0.replaceItems([Article(1, "x"), Article(9)]) } == .unknownItem(9))
    #expect(problem { try $0.reloadItems([1, 9]) } == .unknownItem(9))
    #expect(problem { try $0.reconfigureItems([9]) } == .unknownItem(9))
    #expect(problem { try $0.appendSections([Day("a", ids: [])]) } == .duplicateSection("a"))
    #expect(
      problem { try $0.insertSections([Day("c", ids: [1])], beforeSection: "a") }
        == .duplicateItem(1))
    #expect(problem { try $0.deleteSections(["a", "x"]) } == .unknownSection("x"))
    #expect(problem { try $0.moveSection("a", afterSection: "x") } == .unknownSection("x"))
    #expect(problem { try $0.reloadSections(["x"]) } == .unknownSection("x"))
  }

  @Test("D12: an edit error prints the call, the rule and the identifier")
  func message() {
    var copy = snapshot
    let error = #expect(throws: Days.EditError.self) { try copy.deleteItems([9]) }
    #expect(error?.description == "deleteItems(_:): no item has the identifier “9”")
    let other = #expect(throws: Days.EditError.self) {
      try copy.insertItems([Article(1)], afterItem: 2)
    }
    #expect(
      other?.description
        == "insertItems(_:afterItem:): item “1” already exists, or was passed twice")
  }
}
