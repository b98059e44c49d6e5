/// Carries out the stages between random snapshots on strict rows, and checks each stage.
struct StagingReplayTests {
  @Test(
    "D5, D6, D7: the stages of random snapshots lead to the new snapshot, keep each row's identity, and are no more than needed",
    arguments: [(6, 1_500), (30, 1_000), (60, 500)])
  func replay(alphabet: Int, rounds: Int) {
    expectRightStages(seed: alphabet, rounds: rounds) { random in
      (random.snapshot(alphabet: alphabet), random.snapshot(alphabet: alphabet))
    }
  }

  @Test(
    "D2, D5, D6: the stages of edits to snapshots with unique items lead to the new snapshot")
  func edits() {
    expectRightStages(seed: 1, rounds: 1_500) { random in
      let old = random.uniqueSnapshot()
      return (old, random.edited(old))
    }
  }

  private func expectRightStages(
    seed: Int, rounds: Int, _ snapshots: (inout SeededGenerator) -> (Days, Days)
  ) {
    var stageCounts: Set<Int> = []
    expectNoComplaint(seed: seed, rounds: rounds) { random in
      let (old, new) = snapshots(&random)
      let batches = old.batches(to: new)
      stageCounts.insert(batches.count)
      return StagingOracle.complaint(about: batches, from: old, to: new)
        .map { "\($0): \(summary(old)) \(summary(new))" }
    }
    #expect(stageCounts == [0, 1, 2, 3])
  }
}

private func summary(_ snapshot: Days) -> String {
  snapshot.sections.enumerated().map { offset, section in
    "\(section.diffIdentifier)\(section.content)\(snapshot.items(in: offset).map { "\($0.id)\($0.title)" })"
  }.joined(separator: " ")
}

extension SeededGenerator {
  /// Up to five sections, in any order, with items that may repeat anywhere.
  mutating func snapshot(alphabet: Int) -> Days {
    let names = ["a", "b", "c", "d", "e"].shuffled(using: &self)
      .prefix(Int.random(in: 0...5, using: &self))
    return Days(
      sections: names.map { name in
        Day(
          name, header: Int.random(in: 0..<4, using: &self) == 0 ? "!" : "",
          (0..<Int.random(in: 0...4, using: &self)).map { _ in
            Article(
              Int.random(in: 0..<alphabet, using: &self), Bool.random(using: &self) ? "x" : "y")
          })
      })
  }

  mutating func uniqueSnapshot() -> Days {
    var ids = Array(0..<40).shuffled(using: &self)
    return Days(
      sections: ["a", "b", "c", "d", "e"].map { name in
        let count = Int.random(in: 0...4, using: &self)
        defer { ids.removeFirst(count) }
        return Day(name, ids: Array(ids.prefix(count)))
      })
  }

  /// Deletes, inserts, moves and changes a few sections and items.
  mutating func edited(_ snapshot: Days) -> Days {
    var days = snapshot.sections.map { Day($0) }
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let from = Int.random(in: days.indices, using: &self)
      let to = Int.random(in: days.indices, using: &self)
      guard !days[from].items.isEmpty else { continue }
      var item = days[from].items.remove(at: Int.random(in: days[from].items.indices, using: &self))
      if Bool.random(using: &self) { item.title += "!" }
      if Int.random(in: 0..<5, using: &self) == 0 { continue }
      days[to].items.insert(item, at: Int.random(in: 0...days[to].items.count, using: &self))
    }
    if Bool.random(using: &self) {
      let day = days.remove(at: Int.random(in: days.indices, using: &self))
      if Bool.random(using: &self) {
        days.insert(day, at: Int.random(in: 0...days.count, using: &self))
      } else if Bool.random(using: &self), let last = days.indices.last {
        days[last].items += day.items
      }
    }
    if Bool.random(using: &self), let last = days.indices.last, !days[last].items.isEmpty {
      let item = days[last].items.removeLast()
      days.insert(Day("new", [item]), at: Int.random(in: 0...days.count, using: &self))
    }
    if let day = days.indices.randomElement(using: &self), Int.random(in: 0..<3, using: &self) == 0
    {
      days[day].header += "!"
    }
    return Days(sections: days)
  }
}
