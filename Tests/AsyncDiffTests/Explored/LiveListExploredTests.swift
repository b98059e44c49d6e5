/// A list with a writer, a changing query and a slow surface, over many schedules.
@Suite struct LiveListExploredTests {
  private static let query = LiveQuery(of: Quote.self).filter(\.isOpen).sorted(by: \.volume)

  /// Requires that an observer sees only allowed snapshots, in order.
  private static func follow(
    _ list: LiveList<Quote, QuoteSection>, until last: DiffableSnapshot<QuoteSection>,
    among allowed: [DiffableSnapshot<QuoteSection>]
  ) async throws {
    var place = 0
    for await state in list.states {
      guard let next = allowed[place...].firstIndex(of: state) else {
        throw Violation(description: "\(state) is not a state of the list, or is an older one")
      }
      place = next
      if state == last { return }
    }
  }

  @Test("D26: the states of a list show the table's versions in order, up to the last version")
  func writer() async {
    var table = LiveTable((0..<4).map { Quote(id: "\($0)", volume: $0) })
    let first = table
    var allowed = [Self.query.snapshot(of: table)]
    for step in 0..<4 {
      table.update(id: "\(step)") { $0.volume = 10 - step }
      allowed.append(Self.query.snapshot(of: table))
    }
    await exploreContract(seeds: 4_000) { [allowed] in
      let exchange = Exchange(first.rows)
      let list = LiveList(Self.query, of: exchange)
      try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { try await Self.follow(list, until: allowed[4], among: allowed) }
        }
        group.addTask {
          for step in 0..<4 {
            await exchange.reduce { $0.update(id: "\(step)") { $0.volume = 10 - step } }
          }
        }
      }
    }
  }

  @Test("D26: the last query is shown while the table changes and an observer is cancelled")
  func queries() async {
    await exploreContract(seeds: 4_000) {
      let exchange = Exchange([Quote(id: "a", volume: 1), Quote(id: "b", volume: 2)])
      let list = LiveList(Self.query, of: exchange)
      let last = Self.query.filter { $0.volume > 1 }
      let impatient = Task { for await _ in list.states {} }
      await withDiscardingTaskGroup { group in
        group.addTask {
          list.show(Self.query.filter { $0.volume > 2 })
          list.show(last)
        }
        group.addTask { await exchange.reduce { $0.upsert(Quote(id: "c", volume: 3)) } }
        group.addTask { impatient.cancel() }
      }
      for await state in list.states where state.items(in: 0).map(\.id) == ["b", "c"] { return }
      throw Violation(description: "the states end with \(list.state)")
    }
  }

  @Test("D26, D20: after a concurrent drag, a slow surface ends with the list's state")
  func surface() async {
    await exploreContract(seeds: 4_000) {
      let exchange = Exchange((0..<3).map { Quote(id: "\($0)", volume: $0) })
      let list = LiveList(Self.query, of: exchange)
      let surface = QuoteSurface()
      let source = DiffableDataSource(surface: surface)
      try await source.apply(list.state)
      let bag = TaskBag()
      list.states.pipe(to: source, in: bag)
      await withDiscardingTaskGroup { group in
        group.addTask { _ = await exchange.reduce { $0.update(id: "0") { $0.volume = 5 } } }
        group.addTask { await surface.drag(at(0, 0), at(0, 1), source) }
      }
      await exchange.reduce { $0.update(id: "1") { $0.volume = 9 } }
      let last = Self.query.snapshot(of: exchange.state)
      for await shown in source.snapshots where shown == last { break }
      try hold(await surface.shown == last, "the surface is out of date")
      try hold(await surface.isConsistent, "a batch does not start from the shown rows")
      bag.cancel()
    }
  }
}

/// A slow surface whose user moves a row.
private actor QuoteSurface: CollectionSurface {
  private(set) var shown = DiffableSnapshot<QuoteSection>()
  private(set) var isConsistent = true

  func reloadData(_ snapshot: DiffableSnapshot<QuoteSection>) async {
    await Task.yield()
    shown = snapshot
  }

  func performBatchUpdates(_ batch: BatchUpdates<QuoteSection>, animated: Bool) async {
    await Task.yield()
    if batch.previous != shown { isConsistent = false }
    shown = batch.snapshot
  }

  func drag(_ from: ItemPath, _ to: ItemPath, _ source: DiffableDataSource<QuoteSection>) {
    if let transaction = source.reorder(from: from, to: to) { shown = transaction.after }
  }
}
