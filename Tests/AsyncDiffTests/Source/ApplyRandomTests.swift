@Suite struct ApplyRandomTests {
  @Test(
    "D10: in each stage of random changes, exactly the new and changed rows get a cell")
  func randomSnapshots() async throws {
    var generator = SeededGenerator(seed: 11)
    let (surface, source) = strictSource()
    var stages = 0
    for _ in 0..<400 {
      let before = await surface.calls.count
      let snapshot = Days.random(&generator)
      let outcome = try await source.apply(snapshot)
      #expect(await surface.rows?.matches(snapshot) == true)
      var changes = 0
      for case .batch(let batch, _) in await surface.calls.dropFirst(before) {
        changes += batch.count
        stages += 1
        let expected = Set(batch.itemInserts + batch.itemUpdates.map(\.to))
          .union(
            batch.sectionInserts.flatMap { section in
              (0..<batch.snapshot.numberOfItems(in: section)).map { at(section, $0) }
            })
        #expect(Set(batch.nodes.keys) == expected)
        let isRight = batch.nodes.allSatisfy { path, node in
          node as? TitleNode
            == TitleNode(title: batch.snapshot.item(at: path).title, path: path)
        }
        #expect(isRight)
      }
      if case .updated(let count) = outcome { #expect(count == changes) }
    }
    #expect(stages > 500, "some changes take more than one stage")
  }
}
