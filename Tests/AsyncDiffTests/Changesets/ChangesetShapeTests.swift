@testable import AsyncDiff

/// Changesets of lists with particular shapes, and of collections other than arrays.
struct ChangesetShapeTests {
  private func rows(_ ids: some Sequence<Int>) -> [Row<Int>] { ids.map { Row(diffIdentifier: $0) } }

  private func complaint(_ old: [Row<Int>], _ new: [Row<Int>]) -> String? {
    ChangesetOracle.complaint(
      about: Changeset(from: old, to: new), from: old, to: new, isMinimal: true)
  }

  @Test(
    "A2, D2: each permutation of up to seven rows takes the fewest moves")
  func permutations() {
    var complaints = 0
    func permute(_ prefix: [Int], _ rest: [Int], count: Int) {
      if rest.isEmpty {
        complaints += complaint(rows(0..<count), rows(prefix)) == nil ? 0 : 1
      }
      for (index, id) in rest.enumerated() {
        var others = rest
        others.remove(at: index)
        permute(prefix + [id], others, count: count)
      }
    }
    for count in 0...7 { permute([], Array(0..<count), count: count) }
    #expect(complaints == 0)
  }

  @Test(
    "D1, D2: for long lists that are shuffled, reversed or moved in blocks, a changeset has the fewest moves"
  )
  func longLists() {
    var random = SeededGenerator(seed: 9)
    let ids = Array(0..<3_000)
    #expect(complaint(rows(ids), rows(ids.shuffled(using: &random))) == nil)
    #expect(complaint(rows(ids), rows(ids.reversed())) == nil)
    #expect(complaint(rows(ids), rows(ids[1_000...] + ids[..<1_000])) == nil)
    #expect(complaint(rows(ids), rows(ids[..<500] + ids[1_500...] + ids[500..<1_500])) == nil)
    #expect(complaint(rows(ids), rows(ids[..<500] + (5_000..<6_000) + ids[900...])) == nil)
    var mixed = ids
    mixed[1_000..<2_900].shuffle(using: &random)
    mixed.removeSubrange(100..<700)
    mixed.insert(contentsOf: 7_000..<9_000, at: 300)
    #expect(complaint(rows(ids), rows(mixed)) == nil)
  }

  @Test(
    "D4: a changeset of long lists with few identifiers produces the new list",
    arguments: [2, 10, 1_000])
  func longListsWithDuplicates(alphabet: Int) {
    var random = SeededGenerator(seed: UInt64(alphabet))
    let old = (0..<4_000).map { _ in
      Row(diffIdentifier: Int.random(in: 0..<alphabet, using: &random))
    }
    let new = old.shuffled(using: &random)
    #expect(
      ChangesetOracle.complaint(about: Changeset(from: old, to: new), from: old, to: new) == nil)
  }

  @Test(
    "D3: matching rows at both ends are not hashed, even if a row is inserted or deleted among them"
  )
  func matchingEnds() {
    let old = (0..<1_000).map { Row(diffIdentifier: HashedOnce(number: $0)) }
    var new = old
    new[400..<500].reverse()
    new.remove(at: 900)
    new.insert(Row(diffIdentifier: HashedOnce(number: -1)), at: 100)
    HashedOnce.count = 0
    let change = Changeset(from: old, to: new)
    #expect(change.deletes == [900] && change.inserts == [100] && change.moves.count == 99)
    #expect(HashedOnce.count <= 210)
  }

  @Test("D3: a common prefix and a common suffix are not hashed")
  func equalEnds() {
    let old = (0..<100).map { Row(diffIdentifier: Unhashable(number: $0)) }
    var new = old
    new.insert(Row(diffIdentifier: Unhashable(number: -1)), at: 50)
    #expect(Changeset(from: old, to: new).inserts == [50])
    #expect(Changeset(from: new, to: old).deletes == [50])
  }

  @Test("D3: a diff keeps its memory for the next diff if the memory is at most 4 MiB")
  func keptMemory() async {
    // The diffs run in a separate process, because all diffs of a process share this memory.
    await #expect(processExitsWith: .success) {
      func memory(afterReversing count: Int) -> Int {
        _ = Changeset(from: Array(0..<count), to: (0..<count).reversed(), id: \.self) { $0 == $1 }
        return Workspace.take().size
      }
      let (small, large) = (memory(afterReversing: 1_000), memory(afterReversing: 200_000))
      precondition(small > 0 && large == 0, "kept \(small) and \(large) bytes")
    }
  }

  @Test(
    "The offsets of a changeset count from zero, even for slices, ranges, and lazy or reversed collections"
  )
  func otherCollections() {
    let ids = Array(0..<50)
    let expected = Changeset(deletes: [3], inserts: [49])
    func difference<C: Collection<Int>>(_ old: C, _ new: C) -> Changeset {
      Changeset(from: old, to: new, id: \.self, isContentEqual: ==)
    }
    #expect(difference(ids[10..<20], ids[20..<30]).deletes == Array(0..<10))
    #expect(difference(ids[10..<20], ids[10..<25]).inserts == Array(10..<15))
    #expect(difference(10..<20, 12..<20).deletes == [0, 1])
    #expect(difference(Set([1]), Set([2])) == Changeset(deletes: [0], inserts: [0]))
    let old = ids.lazy.map { $0 }
    let new = (ids.filter { $0 != 3 } + [99]).lazy.map { $0 }
    #expect(difference(old, new) == expected)
    #expect(difference(ids.reversed(), ids.reversed()).isEmpty)
    #expect(difference([], []).isEmpty && difference([], ids).inserts == ids)
  }
}

/// An identifier that traps when it is hashed.
private struct Unhashable: Hashable {
  let number: Int

  func hash(into hasher: inout Hasher) { preconditionFailure("hashed \(number)") }
}

/// An identifier type that counts the calls to `hash(into:)`.
private struct HashedOnce: Hashable {
  // Only one test uses this type, and only one thread counts.
  nonisolated(unsafe) static var count = 0
  let number: Int

  func hash(into hasher: inout Hasher) {
    HashedOnce.count += 1
    hasher.combine(number)
  }
}
