@testable import AsyncDiff
import Foundation

/// The sections, contents and marks of a snapshot match the rows that a surface shows.
@Suite struct SnapshotTruthTests {
  @Test("D13: sections contain the shown items, after edits and between stages")
  func sections() throws {
    let old = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3])])
    var edited = old
    try edited.deleteItems([1])
    #expect(edited.sections[0].items.map(\.id) == [2])
    #expect(Days(sections: edited.sections) == edited, "deleted items must not come back")
    let new = Days(sections: [Day("c", ids: [3]), Day("a", ids: [2, 4])])
    let stages = old.batches(to: new)
    #expect(stages.count > 1)
    for stage in stages {
      let snapshot = stage.snapshot
      #expect(snapshot.sections.map(\.items) == snapshot.sections.indices.map(snapshot.items(in:)))
    }
  }

  @Test("D13: a change of only a section's content updates the section")
  func contentAlone() async throws {
    let (surface, source) = try await strictSource(
      showing: Days(sections: [Day("a", header: "1", ids: [1]), Day("b", ids: [])]))
    let new = Days(sections: [Day("a", header: "2", ids: [1]), Day("b", ids: [])])
    #expect(try await source.apply(new) == .updated(1))
    let batch = try #require(await surface.lastBatch)
    #expect(batch.sectionUpdates == [.init(from: 0, to: 0)])
    #expect(batch.previous.sections[0].content == "1" && batch.snapshot.sections[0].content == "2")
    #expect(source.snapshot.sections.map(\.content) == ["2", ""])
    #expect(await surface.rows?.contents == ["2", ""])
  }

  @Test(
    "D13: contents are updated in the last stage")
  func contentInStages() {
    let old = Days(sections: [Day("a", header: "1", ids: [1]), Day("b", ids: [2])])
    let new = Days(sections: [Day("b", ids: [2, 3]), Day("a", header: "2", ids: [1, 4])])
    let stages = old.batches(to: new)
    #expect(stages.count == 2)
    #expect(stages.map(\.sectionUpdates) == [[], [.init(from: 1, to: 1)]])
    #expect(stages.map { $0.snapshot.sections.map(\.content) } == [["", "1"], ["", "2"]])
  }

  @Test("D13: reloadSections updates a section without items")
  func reloadSections() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(Days(sections: [Day("a", ids: []), Day("b", ids: [1])]))
    var snapshot = source.snapshot
    try snapshot.reloadSections(["a"])
    #expect(try await source.apply(snapshot) == .updated(1))
    try snapshot.reconfigureSections(["b"])
    #expect(try await source.apply(snapshot) == .updated(2), "the section and its item")
    #expect(await surface.lastBatch?.nodes.isEmpty == true, "the item keeps its cell")
  }

  @Test("D13: replaceSections replaces content and items, or throws and changes nothing")
  func replaceSections() throws {
    var snapshot = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3])])
    try snapshot.replaceSections([Day("a", header: "new", ids: [2, 4])])
    #expect(snapshot.ids == [[2, 4], [3]] && snapshot.sections[0].content == "new")
    #expect(snapshot.path(ofItem: 1) == nil && snapshot.path(ofItem: 4) == at(0, 1))
    let before = snapshot
    #expect(throws: Days.EditError.self) { try snapshot.replaceSections([Day("x", ids: [])]) }
    #expect(throws: Days.EditError.self) { try snapshot.replaceSections([Day("a", ids: [3])]) }
    #expect(throws: Days.EditError.self) { try snapshot.replaceSections([Day("a", ids: [7, 7])]) }
    #expect(snapshot == before)
  }

  @Test(
    "D13: replaceSections refuses an item of another section, even if the replaced section also has the item"
  )
  func replaceSectionsWithRepeatedItem() throws {
    for ids in [["a", "b"], ["b", "a"]] {
      let snapshot = Days(sections: ids.map { Day($0, ids: [1]) } + [Day("c", ids: [1])])
      for id in ids {
        var copy = snapshot
        #expect(throws: Days.EditError.self) { try copy.replaceSections([Day(id, ids: [1, 2])]) }
        #expect(copy == snapshot)
      }
      var copy = snapshot
      try copy.replaceSections([Day("a", ids: [1]), Day("b", ids: []), Day("c", ids: [2])])
      #expect(copy.numberOfItems == 2)
    }
  }

  @Test("D15: a mark is applied once, even if the caller keeps the marked snapshot")
  func marksOnce() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    var mine = oneDay([1, 2])
    try await source.apply(mine)
    try mine.reloadItems([1])
    #expect(try await source.apply(mine) == .updated(1))
    #expect(source.snapshot.marks.isEmpty, "a shown snapshot has no marks")
    #expect(try await source.apply(mine) == .unchanged)
    try mine.appendItems([Article(3)], toSection: "a")
    #expect(try await source.apply(mine) == .updated(1), "only the insert")
    var copy = mine
    try mine.reloadItems([1])
    try copy.reloadItems([2, 3])
    #expect(try await source.apply(mine) == .updated(1))
    #expect(try await source.apply(copy) == .updated(2), "a copy has separate marks")
  }

  @Test("D15: a mark is applied once by each data source")
  func marksOfTwoSources() async throws {
    var snapshot = oneDay([1])
    let sources = [0, 1].map { _ in StrictSurface<Day>() }
      .map { ($0, DiffableDataSource(surface: $0)) }
    for (_, source) in sources { try await source.apply(snapshot) }
    try snapshot.reloadItems([1])
    for (_, source) in sources { #expect(try await source.apply(snapshot) == .updated(1)) }
  }

  @Test(
    "D15: a data source applies all 100 marks, even if another data source has applied them before")
  func manyMarksOfTwoSources() async throws {
    let ids = Array(0..<100)
    var snapshot = oneDay(ids)
    let sources = [0, 1].map { _ in StrictSurface<Day>() }
      .map { ($0, DiffableDataSource(surface: $0)) }
    for (_, source) in sources { try await source.apply(snapshot) }
    for id in ids {
      try snapshot.reloadItems([id])
      #expect(try await sources[0].1.apply(snapshot) == .updated(1))
    }
    #expect(try await sources[1].1.apply(snapshot) == .updated(100))
  }

  @Test("D15: applied marks of items and data sources that no longer exist take little memory")
  func memoryOfMarks() async throws {
    var snapshot = oneDay([0])
    for id in 1...500 {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      try await source.apply(snapshot)
      try snapshot.reloadItems([id - 1])
      try await source.apply(snapshot)
      try snapshot.appendItems([Article(id)], toSection: "a")
      try snapshot.deleteItems([id - 1])
    }
    let marks = snapshot.marks.marks
    #expect(marks.count < 20 && marks.allSatisfy { $0.items.count < 20 && $0.sources.count < 20 })
  }

  @Test(
    "D15: the rows of a reloaded section are redrawn, even if another section shows the same items")
  func reloadedSection() throws {
    let old = Days(sections: [Day("favorites", ids: [1, 2]), Day("all", ids: [1, 2, 3])])
    var new = old
    try new.reloadSections(["all"])
    let updates = old.batches(to: new).flatMap(\.itemUpdates).map(\.to)
    #expect(updates.filter { $0.section == 1 } == [at(1, 0), at(1, 1), at(1, 2)])
  }

  @Test("D13: snapshots are encoded, hashed and described by their contents")
  func values() throws {
    struct Note: Diffable, Codable, Hashable {
      var id: Int
      var diffIdentifier: Int { id }
    }
    struct Pad: SectionInflator {
      let diffIdentifier: String
      let content: Int
      let items: [Note]
    }
    let snapshot = DiffableSnapshot(sections: [
      Pad(diffIdentifier: "a", content: 7, items: [Note(id: 1), Note(id: 2)])
    ])
    let data = try JSONEncoder().encode(snapshot)
    #expect(try JSONDecoder().decode(DiffableSnapshot<Pad>.self, from: data) == snapshot)
    #expect(Set([snapshot, snapshot]).count == 1)
    #expect(snapshot.description == #"a “7”: ["1", "2"]"#)
    let stages = snapshot.batches(to: DiffableSnapshot(sections: []))
    #expect(stages.map(\.description) == ["delete section 0"])
    #expect(BatchUpdates(from: snapshot, to: snapshot).description == "no changes")
    let edit = Changeset(from: [1, 2, 3], to: [3, 1, 4], id: \.self, isContentEqual: ==)
    #expect(edit.description == "deletes 1; inserts 2; moves 0 → 1")
  }
}
