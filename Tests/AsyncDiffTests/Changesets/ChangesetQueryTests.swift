/// The methods of a changeset.
struct ChangesetQueryTests {
  @Test("A4: offsets are mapped in both directions, even with duplicates")
  func offsets() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      let old = random.rows(upTo: 20, alphabet: 12)
      let new = random.rows(upTo: 20, alphabet: 12)
      let change = Changeset(from: old, to: new)
      let origins = ChangesetOracle.replayed(change, oldCount: old.count, newCount: new.count) ?? []
      let offsets = change.offsets(from: old.count)
      #expect(new.indices.map(offsets.old(of:)) == origins)
      #expect(
        old.indices.map(offsets.new(of:)) == old.indices.map { origins.firstIndex(of: $0) })
    }
  }

  @Test(
    "D1: applying a changeset keeps remaining rows and takes inserted and updated rows from the new list"
  )
  func applying() {
    let old = [Row(diffIdentifier: 1), Row(diffIdentifier: 2), Row(diffIdentifier: 3)]
    let new = [Row(diffIdentifier: 3, content: 1), Row(diffIdentifier: 4), Row(diffIdentifier: 1)]
    let change = Changeset(from: old, to: new)
    #expect(old.applying(change, from: new) == new)
    let marked = new.map { Row(diffIdentifier: $0.diffIdentifier, content: 9) }
    #expect(old.applying(change, from: marked).map(\.content) == [9, 9, 0])
    #expect([Int?.none, 1].applying(Changeset(deletes: [1]), from: [nil]) == [nil])
  }

  @Test(
    "A4: isValid is false if changes are out of order, do not fit the lists, or contradict each other"
  )
  func validity() {
    let change = Changeset(deletes: [1], inserts: [0], moves: [.init(from: 0, to: 2)])
    #expect(change.isValid(from: 3, to: 3))
    #expect(!change.isValid(from: 3, to: 4) && !change.isValid(from: 1, to: 1))
    #expect(!Changeset(deletes: [0, 0], inserts: [0, 0]).isValid(from: 2, to: 2))
    #expect(!Changeset(deletes: [3, 1]).isValid(from: 5, to: 3))
    #expect(!Changeset(deletes: [0], inserts: [-1]).isValid(from: 2, to: 2))
    #expect(!Changeset(deletes: [0], moves: [.init(from: 0, to: 0)]).isValid(from: 2, to: 1))
    #expect(!Changeset(updates: [.init(from: 0, to: 1)]).isValid(from: 2, to: 2))
    #expect(!Changeset(updates: [.init(from: 0, to: 5)]).isValid(from: 2, to: 2))
    #expect(Changeset(updates: [.init(from: 1, to: 1)]).isValid(from: 2, to: 2))
  }

  @Test("A5: replacingMovedUpdates deletes and inserts each row that moves and changes")
  func replacingMovedUpdates() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let old = random.rows(upTo: 12, alphabet: 8)
      let new = random.rows(upTo: 12, alphabet: 8)
      let change = Changeset(from: old, to: new).replacingMovedUpdates()
      #expect(Set(change.moves).isDisjoint(with: change.updates))
      #expect(change.offsets(from: old.count).new(of: old.count) == nil)
      #expect(
        change.deletes == change.deletes.sorted() && change.inserts == change.inserts.sorted())
      #expect(old.applying(change, from: new) == new)
    }
  }

  @Test("A6: a changeset counts its changes")
  func counts() {
    let change = Changeset(
      deletes: [1], inserts: [0, 2], moves: [.init(from: 0, to: 1)],
      updates: [.init(from: 2, to: 3)])
    #expect(change.count == 5 && !change.isEmpty && Changeset().isEmpty)
  }
}
