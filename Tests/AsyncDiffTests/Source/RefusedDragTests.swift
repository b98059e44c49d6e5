@testable import AsyncDiff

/// Compares drags, some of which are put back, with plain lists of numbers.
@Suite struct RefusedDragTests {
  private static let start = [[1, 2, 3], [4, 5], [], [6, 7, 8, 9]]
  private static let days = days(start)

  private static func days(_ lists: [[Int]]) -> Days {
    Days(sections: lists.enumerated().map { Day("\($0)", ids: $1) })
  }

  /// A drag, and the lists after it.
  private struct Drag {
    let row: Int
    let lists: [[Int]]

    /// Returns the lists after the drag.
    ///
    /// The dragged row is inserted after the nearest remaining row that preceded it when it was dropped.
    func applied(to lists: [[Int]]) -> [[Int]] {
      var lists = lists.map { $0.filter { $0 != row } }
      guard let section = self.lists.firstIndex(where: { $0.contains(row) }) else { return lists }
      let before = self.lists[section].prefix { $0 != row }
      let place = before.reversed().lazy.compactMap { lists[section].firstIndex(of: $0) }.first
      lists[section].insert(row, at: place.map { $0 + 1 } ?? 0)
      return lists
    }
  }

  /// Drags a random row of the surface to a random position.
  private static func drag(
    _ random: inout SeededGenerator, _ surface: DragSurface, _ source: DiffableDataSource<Day>
  ) async -> (ReorderTransaction<Day>, Drag)? {
    let transaction = await surface.drag(by: SeededGenerator(seed: random.next()), source)
    return transaction.map { ($0, Drag(row: $0.item.id, lists: $0.after.ids)) }
  }

  /// Waits until the data source shows `lists`, and requires that the surface also shows them.
  private static func wait(
    for lists: [[Int]], _ surface: DragSurface, _ source: DiffableDataSource<Day>
  ) async throws {
    for await snapshot in source.snapshots where snapshot.ids == lists { break }
    try hold(await surface.rows == lists, "the surface is out of date")
  }

  @Test(
    "D20: if all drags are put back, in any order, the first list is shown again"
  )
  func allRefused() async {
    await exploreContract(seeds: 600) {
      var random = SeededGenerator(seed: Exploration.seed ?? 0)
      let (surface, source) = try await DragSurface.showing(Self.days) { await Task.yield() }
      var open: [ReorderTransaction<Day>] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        if let (transaction, _) = await Self.drag(&random, surface, source) {
          open.append(transaction)
        }
        // Some drags are put back before others begin.
        if let one = open.indices.randomElement(using: &random),
          Int.random(in: 0..<4, using: &random) == 0
        {
          try hold(source.putBack(open.remove(at: one)), "not put back")
        }
        if Bool.random(using: &random) { await Task.yield() }
      }
      for transaction in open.shuffled(using: &random) {
        try hold(source.putBack(transaction), "not put back")
        if Bool.random(using: &random) { await Task.yield() }
      }
      try await Self.wait(for: Self.start, surface, source)
    }
  }

  @Test("D20: if some drags are put back, the others stay")
  func someRefused() async {
    await exploreContract(seeds: 600) {
      var random = SeededGenerator(seed: Exploration.seed ?? 0)
      let (surface, source) = try await DragSurface.showing(Self.days) { await Task.yield() }
      var drags: [(transaction: ReorderTransaction<Day>, drag: Drag)] = []
      var refused: [ReorderTransaction<Day>] = []
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        guard let drag = await Self.drag(&random, surface, source) else { continue }
        if Bool.random(using: &random) { refused.append(drag.0) } else { drags.append(drag) }
      }
      for transaction in refused.shuffled(using: &random) {
        source.putBack(transaction)
        if Bool.random(using: &random) { await Task.yield() }
      }
      let model = drags.reduce(Self.days) { $1.transaction.applied(to: $0) }
      let lists = drags.reduce(Self.start) { $1.drag.applied(to: $0) }
      try hold(model.ids == lists, "a model has \(model.ids) instead of \(lists)")
      try await Self.wait(for: lists, surface, source)
    }
  }

  @Test(
    "D20: a drag within a section that is put back leaves no trace, even if sections share items")
  func repeatedItems() {
    expectNoComplaint(seed: 20, rounds: 1_000) { random in
      let start = (0..<3).map { _ in
        Array((1...6).shuffled(using: &random).prefix(random.integer(in: 1...6)))
      }
      var (open, lists, expected) = (OpenDrags<Day>(), start, start)
      var refused: [ReorderTransaction<Day>] = []
      for _ in 0..<random.integer(in: 1...6) {
        let before = Self.days(lists)
        let section = random.integer(in: 0...2)
        let rows = 0...(lists[section].count - 1)
        let (from, to) = (random.integer(in: rows), random.integer(in: rows))
        let row = lists[section].remove(at: from)
        lists[section].insert(row, at: to)
        let transaction = ReorderTransaction(
          before: before, after: Self.days(lists),
          move: ItemPath.Move(from: at(section, from), to: at(section, to)))
        open.add(transaction, claims: 0)
        if random.bool() {
          refused.append(transaction)
        } else {
          expected[section] =
            Drag(row: row, lists: [lists[section]])
            .applied(to: [expected[section]])[0]
        }
      }
      for transaction in refused.shuffled(using: &random) where !open.refuse(transaction) {
        return "a drag is not refused"
      }
      return open.order?.ids == expected ? nil : "\(start): \(open.order?.ids ?? []), \(expected)"
    }
  }

  @Test(
    "D20: after two tasks concurrently drag rows and put all their drags back, the first list is shown again"
  )
  func atOnce() async {
    await exploreContract(seeds: 1_500) {
      let (surface, source) = try await DragSurface.showing(Self.days) { await Task.yield() }
      await withDiscardingTaskGroup { group in
        for task in 0..<2 {
          group.addTask {
            var random = SeededGenerator(seed: (Exploration.seed ?? 0) &* 2 &+ UInt64(task))
            var open: [ReorderTransaction<Day>] = []
            for _ in 0..<4 {
              if let drag = await Self.drag(&random, surface, source) { open.append(drag.0) }
              await Task.yield()
              if Bool.random(using: &random), let last = open.popLast() { source.putBack(last) }
            }
            for transaction in open.shuffled(using: &random) {
              source.putBack(transaction)
              await Task.yield()
            }
          }
        }
      }
      try await Self.wait(for: Self.start, surface, source)
    }
  }

  @Test(
    "D20: drags that are put back while snapshots are applied have no effect on the next snapshot")
  func amongSnapshots() async {
    await exploreContract(seeds: 1_000) {
      let (surface, source) = try await DragSurface.showing(Self.days) { await Task.yield() }
      let last = [[9, 4], [1], [2, 3, 5], [6, 7]]
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          var random = SeededGenerator(seed: Exploration.seed ?? 0)
          var open: [ReorderTransaction<Day>] = []
          for _ in 0..<5 {
            if let drag = await Self.drag(&random, surface, source) { open.append(drag.0) }
            if let one = open.indices.randomElement(using: &random), Bool.random(using: &random) {
              source.putBack(open.remove(at: one))
            }
            await Task.yield()
          }
        }
        group.addTask {
          for lists in [[[4, 3], [], [2, 1], [9]], [[1, 2, 3, 4, 5, 6, 7, 8, 9], [], [], []]] {
            _ = try await source.apply(Self.days(lists))
          }
        }
      }
      // The drags that were put back have no effect on the next snapshot.
      _ = try await source.apply(Self.days(last))
      try await Self.wait(for: last, surface, source)
    }
  }

  @Test("D20: a drag can be put back only once, and only by its own data source")
  func foreign() async throws {
    let (surface, other) = (DragSurface(), DragSurface())
    let source = DiffableDataSource(surface: surface)
    let stranger = DiffableDataSource(surface: other)
    try await source.apply(oneDay([1, 2, 3]))
    try await stranger.apply(oneDay([1, 2, 3]))
    let drag = try #require(await surface.drag(at(0, 0), at(0, 2), source))
    _ = try #require(await other.drag(at(0, 1), at(0, 0), stranger))
    #expect(!stranger.putBack(drag))
    #expect(try await stranger.apply(stranger.snapshot) == .unchanged)
    #expect(stranger.snapshot.ids == [[2, 1, 3]])
    #expect(source.putBack(drag))
    #expect(!source.putBack(drag))
    for await snapshot in source.snapshots where snapshot.ids == [[1, 2, 3]] { break }
  }

  @Test("D20: putting a drag back restores the order of the newest snapshot")
  func anotherSnapshot() async throws {
    let surface = DragSurface()
    let source = DiffableDataSource(surface: surface)
    for start in [[1, 2, 3], [4, 3, 2, 1], [2, 1]] {
      try await source.apply(oneDay(start))
      let drag = try #require(await surface.drag(at(0, 0), at(0, 1), source))
      #expect(source.snapshot.ids != [start])
      try #require(source.putBack(drag))
      for await snapshot in source.snapshots where snapshot.ids == [start] { break }
    }
  }

  @Test(
    "D20: a drag that can no longer be put back is forgotten, and its row stays where it was dropped"
  )
  func settled() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([1, 2, 3, 4]))
    let first = try #require(await surface.drag(at(0, 0), at(0, 3), source))
    for _ in 0..<100 { _ = await surface.drag(at(0, 1), at(0, 0), source) }
    #expect(
      source.drags.withLock { $0.drags.count } == 101,
      "later drags are kept while an earlier one can be refused")
    #expect(source.putBack(first))
    for await snapshot in source.snapshots where snapshot.ids == [[2, 3, 1, 4]] { break }
    for _ in 0..<100 { _ = await surface.drag(at(0, 1), at(0, 0), source) }
    #expect(source.drags.withLock { $0.drags.count } == 1)
    let before = source.snapshot
    let last = try #require(await surface.drag(at(0, 0), at(0, 3), source))
    #expect(source.putBack(last))
    for await snapshot in source.snapshots where snapshot == before { break }
  }

  @Test("D20: a snapshot releases the drags before it, and the list from which they began")
  func released() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([1, 2, 3, 4]))
    let drag = try #require(await surface.drag(at(0, 0), at(0, 3), source))
    try await source.apply(oneDay([5]))
    #expect(source.drags.withLock { $0.order == nil && $0.drags.isEmpty })
    #expect(!source.putBack(drag))
    #expect(source.snapshot.ids == [[5]])
    let next = try #require(await surface.drag(at(0, 0), at(0, 0), source))
    #expect(source.putBack(next))
  }
}

extension DragSurface {
  /// Lets the user drag a random row to a random position.
  fileprivate func drag(
    by random: SeededGenerator, _ source: DiffableDataSource<Day>
  ) -> ReorderTransaction<Day>? {
    var random = random
    let full = rows.indices.filter { !rows[$0].isEmpty }
    guard let section = full.randomElement(using: &random) else { return nil }
    let from = at(section, Int.random(in: 0..<rows[section].count, using: &random))
    let to = Int.random(in: 0..<rows.count, using: &random)
    let room = rows[to].count - (to == section ? 1 : 0)
    return drag(from, at(to, Int.random(in: 0...room, using: &random)), source)
  }
}
