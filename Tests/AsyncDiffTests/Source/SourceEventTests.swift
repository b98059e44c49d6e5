@Suite struct SourceEventTests {
  typealias Event = NodeEvent<Article>

  /// Shows the snapshots one after another, sends actions, and returns the resulting events.
  private func events(
    after snapshots: [Days], reloadThreshold: Int = 10_000,
    _ send: (DiffableDataSource<Day>) async throws -> Void
  ) async throws -> [Event] {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface, reloadThreshold: reloadThreshold)
    for snapshot in snapshots { try await source.apply(snapshot) }
    return try await source.events { try await send(source) }
  }

  @Test("D11: an action at a path carries the shown item")
  func select() async throws {
    let events = try await events(after: [oneDay([1, 2])]) { source in
      source.send(.didSelect, at: at(0, 1))
      source.send(.didDeselect, at: at(0, 0))
    }
    #expect(
      events == [
        Event(model: Article(2), action: .didSelect, path: at(0, 1)),
        Event(model: Article(1), action: .didDeselect, path: at(0, 0)),
      ])
  }

  @Test("A21, D11: endDisplay after a change carries the removed item")
  func endDisplayAfter() async throws {
    let events = try await events(after: [oneDay([1, 2, 3]), oneDay([1, 3])]) { source in
      source.send(.endDisplay, at: at(0, 1))
      source.send(.endDisplay, at: at(0, 1))
    }
    #expect(
      events.map(\.model.id) == [2, 3], "the removed item, then the item that is now at its path")
  }

  @Test("D11: an item that was not on screen does not send endDisplay")
  func neverDisplayed() async throws {
    let events = try await events(after: [oneDay([1, 2, 3])]) { source in
      source.send(.willDisplay, at: at(0, 0))
      source.send(.willDisplay, at: at(0, 2))
      try await source.apply(oneDay([3]))
      source.send(.endDisplay, at: at(0, 1))
      source.send(.endDisplay, at: at(0, 0))
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(events.map(\.model.id) == [1, 3, 1, 3], "[0, 1] was 2, which was not on screen")
  }

  @Test("D11: a row that left the screen after one change does not send endDisplay after the next")
  func scrolledBetweenChanges() async throws {
    let events = try await events(after: [oneDay([1, 2, 3])]) { source in
      for item in 0..<3 { source.send(.willDisplay, at: at(0, item)) }
      try await source.apply(oneDay([0, 1, 2, 3]))
      source.send(.endDisplay, at: at(0, 3))
      try await source.apply(oneDay([0, 1, 2, 9]))
      source.send(.willDisplay, at: at(0, 3))
      source.send(.endDisplay, at: at(0, 3))
    }
    #expect(events.map(\.model.id) == [1, 2, 3, 3, 9, 9])
  }

  @Test(
    "D11, D20: if the user moves a row on screen, and a change removes the row, the row sends endDisplay"
  )
  func draggedAndRemoved() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([1, 2, 3]))
    let received = try await source.events {
      source.send(.willDisplay, at: at(0, 0))
      _ = await surface.drag(at(0, 0), at(0, 2), source)
      try await source.apply(oneDay([2, 3]))
      source.send(.endDisplay, at: at(0, 2))
    }
    #expect(received.map(\.model.id) == [1, 1])
    #expect(received.map(\.action) == [.willDisplay, .endDisplay])
  }

  @Test(
    "D11: during a batch, the path of willDisplay is in the new snapshot and the path of endDisplay in the old one"
  )
  func duringBatch() async throws {
    let box = Shared<DiffableDataSource<Day>?>(nil)
    let surface = StrictSurface<Day> { call in
      guard case .batch(let batch, _) = call, let source = box.value else { return }
      for path in batch.itemDeletes { source.send(.endDisplay, at: path) }
      for path in batch.itemInserts { source.send(.willDisplay, at: path) }
    }
    let source = DiffableDataSource(surface: surface)
    box.value = source
    try await source.apply(oneDay([1, 2]))
    let events = Recorder(source.events(of: Article.self))
    try await source.apply(oneDay([3, 2]))
    await events.wait(for: 2)
    #expect(events.elements.map(\.model.id) == [1, 3])
    #expect(events.elements.map(\.action) == [.endDisplay, .willDisplay])
    box.value = nil
  }

  @Test("D11: during a stage, an action refers to a row of the snapshot before the stage")
  func betweenStages() async throws {
    let box = Shared<DiffableDataSource<Day>?>(nil)
    let expected = Shared<[[Int]]>([])
    let surface = StrictSurface<Day> { call in
      guard case .batch(let batch, _) = call, let source = box.value else { return }
      let paths = batch.previous.sections.indices.flatMap { section in
        batch.previous.items(in: section).indices.map { at(section, $0) }
      }
      for path in paths { source.send(.didSelect, at: path) }
      expected.value.append(batch.previous.sections.flatMap { $0.items.map(\.id) })
    }
    let source = DiffableDataSource(surface: surface)
    box.value = source
    try await source.apply(Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3, 4])]))
    let selected = try await source.events {
      try await source.apply(Days(sections: [Day("c", ids: [3, 1]), Day("a", ids: [2])]))
    }
    #expect(expected.value.count == 3 && Set(expected.value).count > 1, "stages that differ")
    #expect(selected.map(\.model.id) == Array(expected.value.joined()))
    box.value = nil
  }

  @Test("D11: after a reload, removed items send endDisplay")
  func reload() async throws {
    let events = try await events(after: [oneDay([1, 2])], reloadThreshold: 0) { source in
      source.send(.willDisplay, at: at(0, 0))
      source.send(.willDisplay, at: at(0, 1))
      let outcome = try await source.apply(oneDay([2]))
      #expect(outcome == .reloaded)
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(events.map(\.model.id) == [1, 2, 1])
  }

  @Test("D11: a row that sends endDisplay during a reload does not send it again")
  func endedByReload() async throws {
    let box = Shared<DiffableDataSource<Day>?>(nil)
    let surface = StrictSurface<Day> { call in
      guard case .reload(let snapshot) = call, snapshot.numberOfItems == 3 else { return }
      box.value?.send(.endDisplay, at: at(0, 0))
    }
    let source = DiffableDataSource(surface: surface, reloadThreshold: 1)
    box.value = source
    try await source.apply(oneDay([1]))
    let events = Recorder(source.events(of: Article.self))
    source.send(.willDisplay, at: at(0, 0))
    #expect(try await source.apply(oneDay([1, 2, 3])) == .reloaded)
    #expect(try await source.apply(oneDay([2, 3])) == .updated(1))
    source.send(.willDisplay, at: at(0, 0))
    source.send(.endDisplay, at: at(0, 0))
    await events.wait(for: 4)
    #expect(events.elements.map(\.model.id) == [1, 1, 2, 2])
    box.value = nil
  }

  @Test("D11: a surface can name a row by its path in a snapshot")
  func inSnapshot() async throws {
    let old = oneDay([1, 2])
    let events = try await events(after: [old, oneDay([2])]) { source in
      source.send(.endDisplay, at: at(0, 0), in: old)
      source.send(.didSelect, at: at(0, 0), in: source.snapshot)
    }
    #expect(events.map(\.model.id) == [1, 2])
  }

  @Test(
    "D11: an item whose endDisplay was sent with a snapshot does not send it again without a snapshot"
  )
  func inSnapshotOnce() async throws {
    let old = oneDay([1, 2])
    let events = try await events(after: [old, oneDay([2])]) { source in
      source.send(.endDisplay, at: at(0, 0), in: old)
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(
      events.map(\.model.id) == [1, 2], "the second event is from the row that is now at the path")
  }

  @Test("D11: endDisplay for a row of an older snapshot leaves the current row on screen")
  func inOlderSnapshot() async throws {
    let old = oneDay([1, 2])
    let events = try await events(after: [old]) { source in
      for path in old.paths { source.send(.willDisplay, at: path) }
      try await source.apply(oneDay([9, 2]))
      source.send(.willDisplay, at: at(0, 0))
      for _ in 0..<2 { source.send(.endDisplay, at: at(0, 0), in: old) }
      try await source.apply(oneDay([2]))
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(events.suffix(3).map(\.model.id) == [1, 1, 9])
  }

  @Test("D11, D22: after a failed call, the old rows are on screen")
  func afterFailure() async throws {
    let surface = PickySurface(failing: [2])
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2, 3]))
    let events = Recorder(source.events(of: Article.self))
    for item in 0..<3 { source.send(.willDisplay, at: at(0, item)) }
    await #expect(throws: PickySurface.Broken.self) { try await source.apply(oneDay([3])) }
    #expect(try await source.apply(oneDay([3])) == .reloaded)
    for item in 0..<2 { source.send(.endDisplay, at: at(0, item)) }
    try #require(source.ignoredEvents == 0)
    await events.wait(for: 5)
    #expect(events.elements.map(\.model.id) == [1, 2, 3, 1, 2])
  }

  @Test(
    "D11, D22: a row that left the screen after a failed call does not send endDisplay after the reload"
  )
  func scrolledAfterFailure() async throws {
    let surface = PickySurface(failing: [2])
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2, 3]))
    let received = try await source.events {
      for item in 0..<3 { source.send(.willDisplay, at: at(0, item)) }
      await #expect(throws: PickySurface.Broken.self) {
        try await source.apply(oneDay([0, 1, 2, 3]))
      }
      source.send(.endDisplay, at: at(0, 2))
      try await source.apply(oneDay([1, 2, 9]))
      source.send(.endDisplay, at: at(0, 2))
    }
    #expect(received.map(\.model.id) == [1, 2, 3, 3, 9])
  }

  @Test(
    "D11: rows that leave the same path in two stages send endDisplay in order")
  func twoStages() async throws {
    let old = Days(sections: [Day("a", ids: [1, 2]), Day("c", ids: [3]), Day("d", ids: [4, 5])])
    let new = Days(sections: [Day("a", ids: [2]), Day("d", ids: [5]), Day("e", ids: [1])])
    let stages = old.batches(to: new)
    #expect(stages.map(\.sectionDeletes) == [[1], []] && stages.last?.itemDeletes == [at(1, 0)])
    let late = try await events(after: [old, new]) { source in
      for _ in 0..<3 { source.send(.endDisplay, at: at(1, 0)) }
    }
    #expect(late.map(\.model.id) == [3, 4, 5], "5 is now at the path")
    let named = try await events(after: [old, new]) { source in
      source.send(.endDisplay, at: at(1, 0), in: stages[1].previous)
      source.send(.endDisplay, at: at(1, 0))
    }
    #expect(named.map(\.model.id) == [4, 3])
  }

  @Test("D11: two rows with the same identifier each send their own endDisplay")
  func twoSections() async throws {
    let old = Days(sections: [
      Day("a", ids: [1]), Day("b", [Article(1, "of b"), Article(2)]),
    ])
    let events = try await events(after: [old]) { source in
      for path in old.paths { source.send(.willDisplay, at: path) }
      source.send(.endDisplay, at: at(0, 0))
      try await source.apply(Days(sections: [Day("a", ids: [1]), Day("b", ids: [2])]))
      source.send(.endDisplay, at: at(1, 0))
      source.send(.endDisplay, at: at(1, 0))
    }
    #expect(events.suffix(3).map(\.model) == [Article(1), Article(1, "of b"), Article(2)])
  }

  @Test(
    "D11: if two rows have the same identifier, only the row on screen sends endDisplay"
  )
  func twoSectionsOneShown() async throws {
    let old = Days(sections: [
      Day("a", ids: [1]), Day("b", [Article(1, "of b"), Article(2)]),
    ])
    let events = try await events(after: [old]) { source in
      source.send(.willDisplay, at: at(0, 0))
      source.send(.willDisplay, at: at(1, 1))
      try await source.apply(Days(sections: [Day("a", ids: [1]), Day("b", ids: [2])]))
      source.send(.endDisplay, at: at(1, 0))
    }
    #expect(events.last?.model == Article(2), "the row now at the path")
  }

  @Test("D12: an event at a path without an item is ignored and counted")
  func stale() async throws {
    let events = try await events(after: [oneDay([1])]) { source in
      source.send(.didSelect, at: at(0, 1))
      source.send(.didSelect, at: at(4, 0))
      source.send(.didSelect, at: at(0, -1), in: source.snapshot)
      #expect(source.ignoredEvents == 3)
    }
    #expect(events.isEmpty)
  }

  @Test("D12: events before the first snapshot are ignored")
  func tooEarly() async throws {
    let events = try await events(after: []) { source in
      source.send(.willDisplay, at: at(0, 0))
      #expect(source.ignoredEvents == 1)
    }
    #expect(events.isEmpty)
  }

  @Test("A25: a cell's event has the current path of its model")
  func resolvesPath() async throws {
    let events = try await events(after: [oneDay([1, 2, 3]), oneDay([3, 2])]) { source in
      source.channel.send(.ok(info: "x"), from: Article(3), at: at(0, 2))
      source.channel.send(.ok(info: "x"), from: Article(2, "as shown"), at: at(0, 1))
      source.channel.send(.ok(info: "x"), from: Article(1), at: at(0, 0))
    }
    #expect(events.map(\.path) == [at(0, 0), at(0, 1), at(0, 0)])
    #expect(events.map(\.model.title) == ["", "as shown", ""])
  }

  @Test("A25: a cell's event finds its model among items of several types")
  func resolvesMixed() async throws {
    let surface = StrictSurface<Page>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(
      DiffableSnapshot(sections: [.polls([Poll(id: 1)]), .articles([Article(1)])]))
    let events = Recorder(source.events(of: AnyNodable.self))
    source.channel.send(.didSelect, from: Article(1), at: at(0, 0))
    source.channel.send(.didSelect, from: Poll(id: 1), at: at(5, 0))
    await events.wait(for: 2)
    #expect(events.elements.map(\.path) == [at(1, 0), at(0, 0)])
  }

  @Test(
    "D11: endDisplay comes from the row that the last change removed, not from a row removed earlier"
  )
  func earlierChange() async throws {
    let events = try await events(after: [oneDay([1, 2]), oneDay([2]), oneDay([3])]) { source in
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(events.map(\.model.id) == [2], "1 was removed by an earlier change")
  }

  @Test("D11, D20: a row that the last change removed sends its endDisplay even after a drag")
  func afterDrag() async throws {
    let events = try await events(after: [oneDay([1, 2, 3]), oneDay([2, 3])]) { source in
      try #require(source.reorder(from: at(0, 0), to: at(0, 1)) != nil)
      source.send(.endDisplay, at: at(0, 0))
    }
    #expect(events.map(\.model.id) == [1])
  }

  @Test("D11: a new row that sends endDisplay during its own change does not send it again")
  func endedByItsOwnChange() async throws {
    let box = Shared<DiffableDataSource<Day>?>(nil)
    let surface = StrictSurface<Day> { call in
      guard case .batch(let batch, _) = call, let source = box.value else { return }
      for path in batch.itemInserts {
        source.send(.willDisplay, at: path, in: batch.snapshot)
        source.send(.endDisplay, at: path, in: batch.snapshot)
      }
    }
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1]))
    source.send(.willDisplay, at: at(0, 0))
    box.value = source
    try await source.apply(oneDay([1, 2]))
    box.value = nil
    let events = Recorder(source.events(of: Article.self))
    try await source.apply(oneDay([1, 3]))
    source.send(.endDisplay, at: at(0, 1))
    await events.wait(for: 1)
    #expect(events.elements.map(\.model.id) == [3], "2 was not on screen anymore")
  }

  @Test("D11: a row that stays, and sends endDisplay during a change, does not send it again")
  func endedDuringAChange() async throws {
    let box = Shared<DiffableDataSource<Day>?>(nil)
    let surface = StrictSurface<Day> { call in
      guard case .batch = call else { return }
      box.value?.send(.endDisplay, at: at(0, 2))
    }
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2, 3]))
    for item in 0..<3 { source.send(.willDisplay, at: at(0, item)) }
    box.value = source
    try await source.apply(oneDay([2, 3]))
    box.value = nil
    try await source.apply(oneDay([2]))
    source.send(.endDisplay, at: at(0, 1))
    #expect(source.ignoredEvents == 1, "3 has already sent its endDisplay")
  }

  @Test("A25: a cell's event keeps its path if another section also shows the model")
  func resolvesRepeatedItem() async throws {
    let days = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3, 1])])
    let events = try await events(after: [days]) { source in
      source.channel.send(.ok(info: "x"), from: Article(1), at: at(1, 1))
    }
    #expect(events.map(\.path) == [at(1, 1)])
  }
}
