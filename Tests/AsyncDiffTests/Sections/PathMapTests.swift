/// Compares the path maps of stages and of whole changes with a replay by position.
@Suite struct PathMapTests {
  /// The old path of each new item, found by carrying out the stages on strict rows.
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

  @Test("D14: the paths of each stage and of a whole change are mapped in both directions")
  func bothWays() {
    expectNoComplaint(seed: 3, rounds: 1_500) { random in
      let alphabet = random.bool() ? 8 : 40
      let (old, new) = (random.snapshot(alphabet: alphabet), random.snapshot(alphabet: alphabet))
      let stages = old.batches(to: new)
      let whole = (map: old.pathMap(through: stages), stages: stages, old: old, new: new)
      let parts = stages.map { (map: $0.pathMap, stages: [$0], old: $0.previous, new: $0.snapshot) }
      for (map, stages, old, new) in [whole] + parts {
        let origins = origins(stages, old)
        let targets = Dictionary(origins.map { ($0.value, $0.key) }) { first, _ in first }
        guard new.paths.allSatisfy({ map.oldPath(of: $0) == origins[$0] }),
          old.paths.allSatisfy({ map.newPath(of: $0) == targets[$0] })
        else { return "\(old) to \(new)" }
      }
      return nil
    }
  }

  @Test("D12: mapping a path or an offset that is out of range returns nil")
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

  @Test("D18: a selection follows its items and drops removed items")
  func selection() {
    let change = map(
      from: Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])]),
      to: Days(sections: [Day("b", ids: [4, 1]), Day("a", ids: [3])]))
    #expect(change.newPaths(of: [at(0, 0), at(0, 1), at(0, 2)]) == [at(0, 1), at(1, 0)])
    #expect(change.newPaths(of: Set([at(1, 0), at(0, 1)])) == Set([at(0, 0)]))
  }

  @Test(
    "D18: a scroll anchor is the row at the path or the nearest remaining row; of two equally near rows, the later one"
  )
  func anchor() {
    expectNoComplaint(seed: 18, rounds: 600) { random in
      let old = random.snapshot(alphabet: 14)
      let change = map(from: old, to: random.snapshot(alphabet: 14))
      let paths = old.paths
      for (place, path) in paths.enumerated() {
        let nearest = paths.indices
          .filter { change.newPath(of: paths[$0]) != nil }
          .min { (abs($0 - place), -$0) < (abs($1 - place), -$1) }
        if change.anchor(near: path) != nearest.flatMap({ change.newPath(of: paths[$0]) }) {
          return "\(path) of \(old)"
        }
      }
      return nil
    }
  }

  @Test("D7: a batch gives access to both versions of an updated row, and to cells by path")
  func rows() async throws {
    let (surface, source) = try await strictSource(
      showing: Days(sections: [Day("a", [Article(1, "old"), Article(2)])]))
    try await source.apply(Days(sections: [Day("a", [Article(2), Article(1, "new"), Article(3)])]))
    let batch = try #require(await surface.lastBatch)
    let update = try #require(batch.itemUpdates.first)
    #expect(batch.previous.item(at: update.from).title == "old")
    #expect(batch.snapshot.item(at: update.to).title == "new")
    #expect(Set(batch.nodes.keys) == [at(0, 1), at(0, 2)])
    #expect((batch.nodes[at(0, 1)] as? TitleNode)?.title == "new")
    #expect(batch.description.contains("insert “3” [0, 2]"))
  }

  @Test("A5: after replacingMovedUpdates, no row of a batch is both moved and updated")
  func replacingMovedUpdates() {
    expectNoComplaint(seed: 55, rounds: 800) { random in
      let (old, new) = (random.snapshot(alphabet: 10), random.snapshot(alphabet: 10))
      var rows = StrictRows(old)
      for batch in old.batches(to: new).map({ $0.replacingMovedUpdates() }) {
        if !Set(batch.itemMoves).isDisjoint(with: batch.itemUpdates) { return "still both" }
        do { try rows.perform(batch) } catch { return "\(error)" }
      }
      return rows.matches(new) ? nil : "leads to a wrong snapshot"
    }
  }
}
