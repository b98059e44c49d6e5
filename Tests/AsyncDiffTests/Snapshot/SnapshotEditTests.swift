import AsyncDiff
import Testing

@Suite struct SnapshotEditTests {
  let snapshot = Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])])

  private func edited(_ edit: (inout Days) throws -> Void) rethrows -> Days {
    var copy = snapshot
    try edit(&copy)
    #expect(snapshot.ids == [[1, 2, 3], [4]], "the original is untouched")
    return copy
  }

  @Test("A11: items are appended and inserted")
  func insertsItems() throws {
    let new = try edited {
      try $0.appendItems([Article(5), Article(6)], toSection: "b")
      try $0.appendItems([Article(7)], toSection: "b")
      try $0.insertItems([Article(8)], beforeItem: 1)
      try $0.insertItems([Article(9)], afterItem: 8)
      try $0.insertItems([Article(10)], afterItem: 7)
    }
    #expect(new.ids == [[8, 9, 1, 2, 3], [4, 5, 6, 7, 10]])
    #expect(new.path(ofItem: 10) == at(1, 4))
    #expect(new.path(ofItem: 3) == at(0, 4))
  }

  @Test("A11: items are deleted, many with one call")
  func deletesItems() throws {
    #expect(try edited { try $0.deleteItems([3, 4, 1]) }.ids == [[2], []])
  }

  @Test("A11: of two items with one identifier the other is found after the first is deleted")
  func findsTheOther() throws {
    var days = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3, 1])])
    #expect(days.path(ofItem: 1) == at(0, 0))
    try days.deleteItems([1])
    #expect(days.path(ofItem: 1) == at(1, 1))
  }

  @Test("A11: items move within a section and across two")
  func movesItems() throws {
    #expect(try edited { try $0.moveItem(1, beforeItem: 3) }.ids == [[2, 1, 3], [4]])
    #expect(try edited { try $0.moveItem(3, beforeItem: 1) }.ids == [[3, 1, 2], [4]])
    #expect(try edited { try $0.moveItem(1, afterItem: 3) }.ids == [[2, 3, 1], [4]])
    #expect(try edited { try $0.moveItem(2, afterItem: 4) }.ids == [[1, 3], [4, 2]])
    #expect(try edited { try $0.moveItem(2, beforeItem: 2) }.ids == [[1, 2, 3], [4]])
    #expect(try edited { try $0.moveItem(2, afterItem: 2) }.ids == [[1, 2, 3], [4]])
    #expect(try edited { try $0.moveItem(1, toEndOfSection: "a") }.ids == [[2, 3, 1], [4]])
    #expect(try edited { try $0.moveItem(1, toEndOfSection: "b") }.ids == [[2, 3], [4, 1]])
  }

  @Test("A11: newer models take the place of those with their identifiers")
  func replacesItems() throws {
    let new = try edited { try $0.replaceItems([Article(2, "new"), Article(4, "too")]) }
    #expect(new.ids == snapshot.ids)
    #expect(new.item(at: at(0, 1)).title == "new")
    #expect(new.item(at: at(1, 0)).title == "too")
  }

  @Test("A11: sections are appended, inserted, deleted and moved with their items")
  func editsSections() throws {
    let more = try edited {
      try $0.appendSections([Day("c", ids: [5])])
      try $0.insertSections([Day("d", ids: [6])], beforeSection: "a")
      try $0.insertSections([Day("e", ids: [7])], afterSection: "a")
    }
    #expect(more.sections.map(\.diffIdentifier) == ["d", "a", "e", "b", "c"])
    #expect(more.ids == [[6], [1, 2, 3], [7], [4], [5]])
    #expect(more.index(ofSection: "c") == 4)
    #expect(more.path(ofItem: 5) == at(4, 0))

    var less = more
    try less.deleteSections(["a", "c"])
    #expect(less.ids == [[6], [7], [4]])
    try less.moveSection("d", afterSection: "b")
    #expect(less.ids == [[7], [4], [6]])
    try less.moveSection("d", beforeSection: "e")
    #expect(less.ids == [[6], [7], [4]])
    #expect(less.sections.map(\.diffIdentifier) == ["d", "e", "b"])
  }

  @Test("A9: edited items stay edited when their section moves")
  func itemsBelongToTheSnapshot() throws {
    let new = try edited {
      try $0.deleteItems([1])
      try $0.moveSection("a", afterSection: "b")
    }
    #expect(new.ids == [[4], [2, 3]])
  }

  @Test("D12: an edit of what is not there, or is there already, throws and changes nothing")
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

  @Test("D12: the error names the call, the rule and the identifier")
  func message() {
    var copy = snapshot
    let error = #expect(throws: Days.EditError.self) { try copy.deleteItems([9]) }
    #expect(error?.description == "deleteItems(_:): no item has the identifier 9")
    let other = #expect(throws: Days.EditError.self) {
      try copy.insertItems([Article(1)], afterItem: 2)
    }
    #expect(
      other?.description == "insertItems(_:afterItem:): an item already has the identifier 1")
  }
}
