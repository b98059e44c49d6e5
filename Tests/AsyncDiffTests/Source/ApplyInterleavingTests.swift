import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import Testing

/// The contracts of `apply`, under interleavings of tasks, surface, nodes and cancellation.
@Suite struct ApplyInterleavingTests {
  /// Shows every snapshot as one item, whose identifier says who gave it, and as which one.
  private static func snapshot(task: Int, turn: Int) -> DiffableSnapshot<YieldingDay> {
    DiffableSnapshot(sections: [
      YieldingDay(items: [YieldingArticle(id: task * 100 + turn), YieldingArticle(id: -1)])
    ])
  }

  private static func ids(
    of calls: [StrictSurface<YieldingDay>.Call]
  ) -> [Int] {
    calls.compactMap { call in
      switch call {
      case .reload(let snapshot): snapshot.items(in: 0).first?.id
      case .batch(let batch, _): batch.snapshot.items(in: 0).first?.id
      }
    }
  }

  @Test("D8: whatever the interleaving, all are answered, in order, and one given last is shown")
  func order() async {
    await explore(seeds: 400) {
      let surface = StrictSurface<YieldingDay> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      let shown = await withTaskGroup(of: Int.self) { group in
        for task in 1...4 {
          group.addTask {
            var shown = 0
            for turn in 1...3 {
              let outcome = try? await source.apply(Self.snapshot(task: task, turn: turn))
              #expect(outcome != nil && outcome != .unchanged)
              if outcome != .superseded { shown += 1 }
            }
            return shown
          }
        }
        return await group.reduce(0, +)
      }
      let ids = Self.ids(of: await surface.calls)
      #expect(ids.count == shown)
      for task in 1...4 {
        let turns = ids.filter { $0 / 100 == task }
        #expect(turns == turns.sorted())
      }
      #expect(ids.last.map { $0 % 100 } == 3, "what is shown at the end was a task's last")
      #expect(source.snapshot.items(in: 0).first?.id == ids.last)
      #expect(await surface.violations.isEmpty)
    }
  }

  @Test("D9: a cancelled apply is shown wholly or not at all, wherever cancellation strikes")
  func cancellation() async {
    await explore(seeds: 400) {
      let surface = StrictSurface<YieldingDay> { _ in
        await Task.yield()
        #expect(!Task.isCancelled)
      }
      let source = DiffableDataSource(surface: surface)
      try await source.apply(Self.snapshot(task: 9, turn: 0))
      let outcomes = await withTaskGroup(of: (Int, ApplyOutcome?).self) { group in
        for task in 1...4 {
          group.addTask {
            (task, await Self.apply(task, to: source, cancelled: task.isMultiple(of: 2)))
          }
        }
        var outcomes: [Int: ApplyOutcome?] = [:]
        for await (task, outcome) in group { outcomes[task] = .some(outcome) }
        return outcomes
      }
      let last = Self.snapshot(task: 9, turn: 9)
      _ = try await source.apply(last)
      let shown = Set(Self.ids(of: await surface.calls).dropFirst().dropLast())
      for (task, outcome) in outcomes {
        switch outcome {
        case .updated: #expect(shown.contains(task * 100 + 1))
        case nil:
          #expect(task.isMultiple(of: 2), "only those that were cancelled throw")
          #expect(!shown.contains(task * 100 + 1))
        case .superseded: #expect(!shown.contains(task * 100 + 1))
        case .reloaded, .unchanged, .surfaceGone: Issue.record("\(task) was \(outcome as Any)")
        }
      }
      #expect(source.snapshot == last)
      #expect(await surface.rows?.matches(last) == true)
    }
  }

  /// Applies a snapshot in a task, which is perhaps cancelled some time later.
  private static func apply(
    _ number: Int, to source: DiffableDataSource<YieldingDay>, cancelled: Bool
  ) async -> ApplyOutcome? {
    await withTaskGroup(of: ApplyOutcome?.self) { group in
      group.addTask { try? await source.apply(snapshot(task: number, turn: 1)) }
      if cancelled {
        for _ in 0..<number { await Task.yield() }
        group.cancelAll()
      }
      return await group.next() ?? nil
    }
  }

  @Test("D8: when everybody is done, nothing is left: the next snapshot is shown")
  func nothingLeft() async {
    await explore(seeds: 200) {
      let surface = StrictSurface<YieldingDay> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      await withTaskGroup(of: Void.self) { group in
        for task in 1...5 {
          group.addTask { _ = try? await source.apply(Self.snapshot(task: task, turn: 1)) }
        }
        await group.next()
        group.cancelAll()
      }
      let last = Self.snapshot(task: 7, turn: 7)
      _ = try await source.apply(last)
      #expect(source.snapshot == last)
      #expect(await surface.rows?.matches(last) == true)
    }
  }
}

private struct YieldingArticle: Nodable {
  let id: Int
  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    {
      await Task.yield()
      return TitleNode(title: "\(id)", path: path)
    }
  }
}

private struct YieldingDay: SectionInflator {
  let items: [YieldingArticle]
  var diffIdentifier: Int { 0 }
}
