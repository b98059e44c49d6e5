/// Events that arrive while the rows on screen are mapped to the next snapshot.
@Suite struct ShownItemsExploredTests {
  @Test(
    "D11: an item sends endDisplay once, even if it does so while a change or reload starts",
    arguments: [0, 10_000])
  func endsOnce(threshold: Int) async {
    await exploreContract(seeds: 2_000) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface, reloadThreshold: threshold)
      _ = try await source.apply(oneDay([1, 2]))
      let events = await source.events {
        for path in source.snapshot.paths { source.send(.willDisplay, at: path) }
        await withDiscardingTaskGroup { group in
          group.addTask { _ = try? await source.apply(oneDay([2])) }
          group.addTask { source.send(.endDisplay, at: at(0, 0), in: oneDay([1, 2])) }
        }
        source.send(.endDisplay, at: at(0, 0))
      }
      let ended = events.filter { $0.action == .endDisplay }.map(\.model.id)
      try hold(ended == [1, 2], "\(ended) sent endDisplay")
    }
  }

  @Test(
    "D11: two items that were shown at the same path in two stages each send endDisplay once, even concurrently"
  )
  func endTogether() async {
    let old = Days(sections: [Day("a", ids: [1, 2]), Day("c", ids: [3]), Day("d", ids: [4, 5])])
    let new = Days(sections: [Day("a", ids: [2]), Day("d", ids: [5]), Day("e", ids: [1])])
    let between = old.batches(to: new)[1].previous
    await exploreContract(seeds: 1_000) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      for days in [old, new] { _ = try await source.apply(days) }
      let events = await source.events {
        await withDiscardingTaskGroup { group in
          group.addTask { source.send(.endDisplay, at: at(1, 0)) }
          group.addTask { source.send(.endDisplay, at: at(1, 0), in: between) }
        }
      }
      let ended = events.map(\.model.id).sorted()
      try hold(ended == [3, 4], "\(ended) sent endDisplay")
    }
  }
}
