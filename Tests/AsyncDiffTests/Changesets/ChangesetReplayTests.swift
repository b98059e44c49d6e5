/// Checks the changesets of random lists with the oracle.
struct ChangesetReplayTests {
  private func complaint(
    from old: [Row<Int>], to new: [Row<Int>], isMinimal: Bool = false
  ) -> String? {
    ChangesetOracle.complaint(
      about: Changeset(from: old, to: new), from: old, to: new, isMinimal: isMinimal
    ).map { "\($0): \(old.map(\.diffIdentifier)) \(new.map(\.diffIdentifier))" }
  }

  @Test(
    "A3, D1, D4: a changeset of lists with many or few duplicates produces the new list and updates only the rows that differ",
    arguments: [(1, 6), (2, 8), (3, 12), (6, 12), (20, 24), (400, 24)])
  func replay(alphabet: Int, limit: Int) {
    expectNoComplaint(seed: alphabet, rounds: 10_000) { random in
      let old = random.rows(upTo: limit, alphabet: alphabet)
      return complaint(from: old, to: random.rows(upTo: limit, alphabet: alphabet))
    }
  }

  @Test(
    "D1, D2: a changeset of unique identifiers produces the new list with the fewest moves",
    arguments: [(8, 2, 15_000), (20, 5, 15_000), (40, 20, 10_000), (400, 30, 300)])
  func minimal(count: Int, edits: Int, rounds: Int) {
    expectNoComplaint(seed: count, rounds: rounds) { random in
      let old = (0..<Int.random(in: 0...count, using: &random)).map { Row(diffIdentifier: $0) }
        .shuffled(using: &random)
      let new = random.edited(old, edits: Int.random(in: 0...edits, using: &random))
      return complaint(from: old, to: new, isMinimal: true)
    }
  }

  @Test(
    "D4: a changeset of lists with duplicates produces the new list and pairs as many rows as possible",
    arguments: [10, 60])
  func duplicates(count: Int) {
    expectNoComplaint(seed: count, rounds: 6_000) { random in
      var old = (0..<count).map { Row(diffIdentifier: $0) }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        old[Int.random(in: 0..<count, using: &random)].diffIdentifier = count / 2
      }
      return complaint(
        from: old, to: random.edited(old, edits: Int.random(in: 0...6, using: &random)))
    }
  }
}
