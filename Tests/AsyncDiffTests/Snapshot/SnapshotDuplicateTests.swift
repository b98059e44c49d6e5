/// Lookups among items with duplicate identifiers.
@Suite struct SnapshotDuplicateTests {
  @Test(
    "D14: the first of two sections with the same identifier is found, even after an edit")
  func equalSections() throws {
    var days = Days(sections: [Day("a", ids: [1]), Day("a", ids: [2]), Day("b", ids: [3])])
    #expect(days.index(ofSection: "a") == 0 && days.path(ofItem: 2) == at(1, 0))
    try days.appendItems([Article(4)], toSection: "a")
    #expect(days.path(ofItem: 4) == at(0, 1))
    try days.deleteSections(["a"])
    #expect(days.index(ofSection: "a") == 0 && days.path(ofItem: 2) == at(0, 0))
    #expect(days.index(ofSection: "b") == 1 && days.path(ofItem: 1) == nil)
  }

  @Test("D14: after random edits with duplicates, the first item of each identifier is found")
  func firstIsFound() throws {
    try expectNoComplaint(seed: 11, rounds: 300) { random in
      var fresh = 1_000
      var days = Days(
        sections: ["a", "b", "c"].map { name in
          Day(name, (0..<random.integer(in: 0...6)).map { _ in Article(random.integer(in: 0...9)) })
        })
      _ = days.path(ofItem: 1)
      for _ in 0..<12 {
        let ids = days.sections.flatMap { $0.items.map(\.id) }
        guard let id = ids.randomElement(using: &random),
          let other = ids.randomElement(using: &random)
        else { break }
        fresh += 1
        switch random.integer(in: 0...4) {
        case 0: try days.deleteItems([id])
        case 1: try days.insertItems([Article(fresh)], beforeItem: id)
        case 2: if id != other { try days.moveItem(id, afterItem: other) }
        case 3 where days.numberOfSections > 1:
          let names = days.sections.map(\.diffIdentifier).shuffled(using: &random)
          try days.moveSection(names[0], beforeSection: names[1])
        case 4 where days.numberOfSections > 1 && random.bool(probability: 0.2):
          try days.deleteSections([days.sections[0].diffIdentifier])
        default: try days.moveItem(id, toEndOfSection: days.sections[0].diffIdentifier)
        }
        let anew = Days(sections: days.sections.map { Day($0) })
        for id in Array(0...9) + [fresh] where days.path(ofItem: id) != anew.path(ofItem: id) {
          return "item \(id) is found at a wrong path in \(days)"
        }
      }
      return nil
    }
  }
}
