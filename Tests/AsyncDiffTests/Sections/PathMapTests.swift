/// Paths through stages and whole changes, against a replay by position.
@Suite struct PathMapTests {
  /// Where each item after was before, by carrying the stages out on strict rows.
  private func origins(_ stages: [BatchUpdates<Day>], _ old: Days) -> [ItemPath: ItemPath] {
    var rows = StrictRows(old)
    for stage in stages { #expect(throws: Never.self) { try rows.perform(stage) } }
    var origins: [ItemPath: ItemPath] = [:]
    for (section, rows) in rows.origins.enumerated() {
      for (item, origin) in rows.enumerated() { origins[at(section, item)] = origin }
    }
    return origins
  }

  private func map(from old: Days, to new: Days) -> PathMap {
    old.pathMap(through: old.batches(to: new))
  }

  @Test("D14: each path of a stage and of a whole change is mapped both ways, as it is carried out")
  func bothWays() {
    var random = SeededGenerator(seed: 3)
    var wrong = 0
    for round in 0..<1_500 * thoroughness {
      let old = random.snapshot(alphabet: round % 2 == 0 ? 8 : 40)
      let new = random.snapshot(alphabet: round % 2 == 0 ? 8 : 40)
      let stages = old.batches(to: new)
      let change = old.pathMap(through: stages)
      let expected = origins(stages, old)
      for path in new.paths
      where change.oldPath(of: path) != (stages.isEmpty ? path : expected[path]) {
        wrong += 1
      }
      let targets = Dictionary(
        expected.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
      for path in old.paths
      where change.newPath(of: path) != (stages.isEmpty ? path : targets[path]) {
        wrong += 1
      }
      for stage in stages {
        let map = stage.pathMap
        let expected = origins([stage], stage.previous)
        for path in stage.snapshot.paths where map.oldPath(of: path) != expected[path] {
          wrong += 1
        }
        for path in stage.snapshot.paths {
          guard let origin = map.oldPath(of: path) else { continue }
          if map.newPath(of: origin) != path { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test("D12: paths and offsets out of range give nil")
  func outOfRange() {
    let old = Days(sections: [Day("a", ids: [1, 2])])
    let change = map(from: old, to: Days(sections: [Day("a", ids: [2, 3])]))
    for path in [at(-1, 0), at(0, -1), at(0, 2), at(1, 0), at(.max, .max)] {
      #expect(change.newPath(of: path) == nil && change.oldPath(of: path) == nil)
      #expect(map(from: old, to: old).newPath(of: path) == nil)
      #expect(change.anchor(near: path) == nil)
    }
    let list = Changeset(from: [1, 2, 3], to: [3, 1], id: \.self, isContentEqual: ==)
    let offsets = list.offsets(from: 3)
    #expect([-1, 3, 99].allSatisfy { offsets.new(of: $0) == nil })
    #expect([-5, 2, 99].allSatisfy { offsets.old(of: $0) == nil })
  }

  @Test("D18: a selection follows its items, and loses those that are gone")
  func selection() {
    let change = map(
      from: Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])]),
      to: Days(sections: [Day("b", ids: [4, 1]), Day("a", ids: [3])]))
    #expect(change.newPaths(of: [at(0, 0), at(0, 1), at(0, 2)]) == [at(0, 1), at(1, 0)])
    #expect(change.newPaths(of: Set([at(1, 0), at(0, 1)])) == Set([at(0, 0)]))
  }

  @Test("D18: a scroll anchor is its own row, or the nearest survivor, the one after it first")
  func anchor() {
    var random = SeededGenerator(seed: 18)
    var wrong = 0
    for _ in 0..<600 * thoroughness {
      let old = random.snapshot(alphabet: 14)
      let change = map(from: old, to: random.snapshot(alphabet: 14))
      let paths = old.paths
      for (place, path) in paths.enumerated() {
        let nearest = paths.indices
          .filter { change.newPath(of: paths[$0]) != nil }
          .min { (abs($0 - place), -$0) < (abs($1 - place), -$1) }
        if change.anchor(near: path) != nearest.flatMap({ change.newPath(of: paths[$0]) }) {
          wrong += 1
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test("D7: an update has the row before beside the row after; nodes are found by path")
  func rows() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(Days(sections: [Day("a", [Article(1, "old"), Article(2)])]))
    try await source.apply(Days(sections: [Day("a", [Article(2), Article(1, "new"), Article(3)])]))
    let batch = try #require(await surface.lastBatch)
    let update = try #require(batch.itemUpdates.first)
    #expect(batch.previous.item(at: update.from).title == "old")
    #expect(batch.snapshot.item(at: update.to).title == "new")
    #expect(Set(batch.nodes.keys) == [at(0, 1), at(0, 2)])
    #expect((batch.nodes[at(0, 1)] as? TitleNode)?.title == "new")
    #expect(batch.description.contains("insert “3” [0, 2]"))
  }

  @Test("A5: a batch for surfaces that reload rows has none that is moved and updated at once")
  func replacingMovedUpdates() {
    let complaint = firstComplaint(seed: 55, rounds: 800) { random in
      let (old, new) = (random.snapshot(alphabet: 10), random.snapshot(alphabet: 10))
      var rows = StrictRows(old)
      for batch in old.batches(to: new).map({ $0.replacingMovedUpdates() }) {
        if !Set(batch.itemMoves).isDisjoint(with: batch.itemUpdates) { return "still both" }
        do { try rows.perform(batch) } catch { return "\(error)" }
      }
      return rows.matches(new) ? nil : "leads elsewhere"
    }
    #expect(complaint == nil)
  }
}
