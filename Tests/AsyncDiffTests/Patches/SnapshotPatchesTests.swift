/// The messages that `patches()` delivers to an observer of a data source.
@Suite struct SnapshotPatchesTests {
  private let surface = StrictSurface<Day> { _ in }

  private func source(showing snapshot: Days? = nil) async throws -> DiffableDataSource<Day> {
    let source = DiffableDataSource(surface: surface)
    if let snapshot { try await source.apply(snapshot) }
    return source
  }

  @Test("D21: an observer gets a full snapshot first, then one patch for all later changes")
  func onePatch() async throws {
    let source = try await source(showing: oneDay([1, 2, 3, 4]))
    var messages = source.patches().makeAsyncIterator()
    var mirror = SnapshotMirror<Day>()
    let first = try #require(await messages.next())
    #expect(try mirror.apply(first) == .replaced)
    for count in 5...9 { try await source.apply(oneDay(Array(1...count))) }
    let second = try #require(await messages.next())
    let patch = try #require(second.patch)
    #expect(patch.number == patch.from.number + 5)
    #expect(patch.stages.map(\.itemInserts.count) == [5])
    try mirror.apply(second)
    #expect(mirror.snapshot == source.snapshot)
  }

  @Test(
    "D21: a returning observer gets a patch from its revision, or waits if its revision is current")
  func comingBack() async throws {
    let source = try await source(showing: oneDay([1, 2, 3]))
    var messages = source.patches().makeAsyncIterator()
    let known = try #require(await messages.next()).revision
    try await source.apply(oneDay([1, 2, 3, 4]))
    var back = source.patches(since: known).makeAsyncIterator()
    let patch = try #require(await back.next()?.patch)
    #expect(patch.from == known)
    var again = source.patches(since: patch.to).makeAsyncIterator()
    try await source.apply(oneDay([1, 2, 3, 4, 5]))
    let next = try #require(await again.next())
    #expect(
      next
        == .patch(
          SnapshotPatch(
            from: patch.to, to: patch.number + 1,
            stages: oneDay([1, 2, 3, 4]).batches(to: oneDay([1, 2, 3, 4, 5])).map {
              SnapshotPatch.Stage($0)
            }
          )))
  }

  @Test(
    "D21: an unknown, future or forgotten revision leads to a full snapshot"
  )
  func unknown() async throws {
    let source = try await source(showing: oneDay([1, 2, 3]))
    var messages = source.patches(history: 2).makeAsyncIterator()
    let known = try #require(await messages.next()).revision
    for count in 4...6 {
      try await source.apply(oneDay(Array(1...count)))
      _ = await messages.next()
    }
    let strangers = [
      known, SnapshotRevision(epoch: known.epoch + 1, number: known.number + 3),
      SnapshotRevision(epoch: known.epoch, number: known.number + 4),
      SnapshotRevision(epoch: known.epoch, number: 0),
    ]
    for stranger in strangers {
      var back = source.patches(since: stranger).makeAsyncIterator()
      let message = try #require(await back.next())
      let newest = SnapshotRevision(epoch: known.epoch, number: known.number + 3)
      #expect(message == .snapshot(source.snapshot, newest, since: stranger), "since \(stranger)")
    }
  }

  @Test(
    "D21: an observer with the current revision waits for the next patch, even without a history")
  func withoutHistory() async throws {
    let source = try await source(showing: oneDay([1, 2, 3]))
    var first = source.patches(history: 0).makeAsyncIterator()
    let known = try #require(await first.next()).revision
    let next = Task {
      var back = source.patches(since: known, history: 0).makeAsyncIterator()
      return await back.next()
    }
    await waitWhile(source.knot.observerCount == 0)
    try await source.apply(oneDay([1, 2, 3, 4]))
    let patch = try #require(await next.value?.patch, "the observer remembers its snapshot")
    #expect(patch.from == known && patch.number == known.number + 1)
  }

  @Test(
    "D21, D24: a change that is reverted sends a patch without stages, which only moves the revision"
  )
  func backAndForth() async throws {
    let source = try await source(showing: oneDay([1, 2, 3]))
    var messages = source.patches().makeAsyncIterator()
    let first = try #require(await messages.next())
    var mirror = SnapshotMirror<Day>()
    try mirror.apply(first)
    try await source.apply(oneDay([1, 2]))
    try await source.apply(oneDay([1, 2, 3]))
    let message = try #require(await messages.next())
    #expect(message.patch?.from == first.revision && message.patch?.stages.isEmpty == true)
    #expect(message.revision.number == first.revision.number + 2)
    try mirror.apply(message)
    #expect(mirror.snapshot == oneDay([1, 2, 3]) && mirror.revision == message.revision)
  }

  @Test(
    "D21: a redraw of rows sends no message, and the next patch starts at the observer's revision")
  func redraw() async {
    await explore(seeds: 100) {
      let source = try await self.source(showing: oneDay([1, 2, 3]))
      var messages = source.patches().makeAsyncIterator()
      let known = await messages.next()?.revision
      var marked = source.snapshot
      try marked.reloadItems([2])
      try await source.apply(marked)
      let next = Task {
        var messages = source.patches(since: known).makeAsyncIterator()
        return await messages.next()
      }
      await untilIdle()
      try await source.apply(oneDay([1, 2]))
      #expect(await next.value?.patch?.from == known)
    }
  }

  @Test(
    "D21: a full snapshot replaces a larger patch, unless `full` is `.whereNeeded`"
  )
  func fullWhereSmaller() async throws {
    let source = try await source(showing: oneDay([1, 2, 3, 4]))
    var smaller = source.patches().makeAsyncIterator()
    var needed = source.patches(full: .whereNeeded).makeAsyncIterator()
    _ = (await smaller.next(), await needed.next())
    try await source.apply(oneDay([5, 6, 7, 8]))
    #expect(await smaller.next()?.isFull == true)
    #expect(await needed.next()?.isFull == false)
    try await source.apply(oneDay([5, 6, 7, 8, 9]))
    #expect(await smaller.next()?.isFull == false)
    // The patch would contain the inserted section with all its rows.
    try await source.apply(Days(sections: [Day("other", ids: Array(20...40))]))
    #expect(await smaller.next()?.isFull == true)
  }

  @Test("D21: the sequence delivers the last state and ends with its source")
  func end() async throws {
    var source: DiffableDataSource<Day>? = try await source(showing: oneDay([1]))
    var messages = try #require(source?.patches()).makeAsyncIterator()
    source = nil
    #expect(await messages.next()?.isFull == true)
    #expect(await messages.next() == nil)
  }

  @Test("D21: a mark without a change does not send a message")
  func marks() async throws {
    let source = try await source(showing: oneDay([1, 2, 3]))
    var messages = source.patches().makeAsyncIterator()
    let known = try #require(await messages.next()).revision
    var marked = oneDay([1, 2, 3])
    try marked.reloadItems([2])
    try await source.apply(marked)
    try await source.apply(oneDay([1, 2, 3, 4]))
    let patch = try #require(await messages.next()?.patch)
    #expect(patch.from == known && patch.stages.first?.itemInserts.map(\.value.id) == [4])
    #expect(patch.stages.first?.itemUpdates.isEmpty == true)
  }
}

extension SnapshotMessage {
  var isFull: Bool { patch == nil }

  var patch: SnapshotPatch<Section>? {
    switch self {
    case .snapshot: nil
    case .patch(let patch): patch
    }
  }
}
