/// Compares lists and the surfaces that show them with an oracle, while random programs change the lists.
///
/// The oracle is written from the articles and shares no code with the library.
@Suite(.timeLimit(.minutes(30))) struct ListLawTests {
  /// The number of steps that `follow` runs, before the multiplication by `thoroughness`.
  private static let steps = 1_200

  @Test(
    "D26, D2, D6, D20: a list in one section and its surface show the rows of the query after random changes and drags"
  )
  func flat() async {
    await follow(
      seed: 1, { $0.flat($1) }, { $0.flatSnapshot(of: $1) })
  }

  @Test(
    "D26, D2, D6, D20: a list in sections and its surface show the rows of the query after random changes and drags"
  )
  func grouped() async {
    await follow(seed: 2, { $0.grouped($1) }, { $0.groupedSnapshot(of: $1) })
  }

  /// Runs programs of 40 steps.
  ///
  /// Each step changes the table or the query, and compares the list and the surface with the oracle.
  private func follow<Section: SectionInflator>(
    seed: UInt64, _ query: @Sendable (QueryLaw, QueryLaw.Flat) -> LiveQuery<Trade, Section>,
    _ expected: @Sendable (QueryLaw, [Trade]) -> DiffableSnapshot<Section>
  ) async where Section.Item == TradeLine {
    var complaint: String?
    for program in 0..<UInt64(Self.steps / 40 * thoroughness) where complaint == nil {
      var random = SeededGenerator(seed: seed << 32 | program)
      let (ids, hashes) = (random.chance(5) ? 300 : 24, random.chance(3) ? 3 : 1_000_000)
      var (table, plain, law) = (LiveTable<Trade>(), PlainTable(), random.next(QueryLaw()))
      for _ in 0..<random.integer(in: 0...4) {
        random.change(&table, &plain, ids: ids, hashes: hashes)
      }
      let desk = TradeDesk(table)
      var (base, shown) = (law.base, expected(law, plain.rows))
      var latest = query(law, base)
      let list = LiveList(latest, of: desk)
      var states = list.states.makeAsyncIterator()
      let surface = PlainSurface<Section>()
      let source = DiffableDataSource(surface: surface, reloadThreshold: .max)
      if await states.next() != shown { complaint = "the first state is wrong" }
      for step in 0..<40 where complaint == nil {
        if random.chance(4) {
          let before = law
          law = random.next(law)
          if random.chance(2) || !law.hasBase(of: before) { base = law.base }
          latest = query(law, base)
          list.show(latest)
        } else {
          for _ in 0..<random.integer(in: 1...3) {
            random.change(&table, &plain, ids: ids, hashes: hashes)
          }
          if random.chance(9) { list.show(latest) }
        }
        await desk.sink(table)
        let next = expected(law, plain.rows)
        if latest.snapshot(of: table) != next { complaint = "its snapshot is wrong" }
        if next != shown {
          shown = next
          while complaint == nil, let state = await states.next(), state != next {
            complaint = "it shows a wrong list"
          }
        }
        if complaint == nil { complaint = await show(list.state, next, source, surface, &random) }
        complaint = complaint.map { "program \(program), step \(step), \(law): \($0)" }
      }
    }
    #expect(complaint == nil)
  }

  /// Shows a list on a surface and sometimes drags a row.
  ///
  /// Returns the first mismatch, or `nil`. Does nothing if `state` is not `expected`.
  private func show<Section: SectionInflator>(
    _ state: DiffableSnapshot<Section>, _ expected: DiffableSnapshot<Section>,
    _ source: DiffableDataSource<Section>, _ surface: PlainSurface<Section>,
    _ random: inout SeededGenerator
  ) async -> String? {
    guard state == expected else { return nil }
    _ = try? await source.apply(state)
    if await !surface.shows(expected) { return "the surface shows something else" }
    let paths = source.snapshot.paths
    if !paths.isEmpty, random.chance(3) {
      let from = paths[random.integer(in: 0...paths.count - 1)]
      let section = random.integer(in: 0...source.snapshot.numberOfSections - 1)
      let room = source.snapshot.numberOfItems(in: section) - (section == from.section ? 1 : 0)
      let to = ItemPath(section: section, item: random.integer(in: 0...room))
      await surface.drag(ItemPath.Move(from: from, to: to))
      guard let drag = source.reorder(from: from, to: to) else { return "a drag is refused" }
      if await !surface.shows(drag.after) { return "a drag leads to the wrong order" }
      if random.chance(2) {
        source.putBack(drag)
        _ = try? await source.apply(state)
        if await !surface.shows(expected) { return "a drag is not put back" }
      }
    }
    return await surface.complaint
  }

  @Test("D26: a list of another list's rows shows the result of its query over those rows")
  func listOfAList() async {
    let complaint = await firstComplaintInPrograms(rounds: 12) { random in
      var (table, plain, law) = (LiveTable<Trade>(), PlainTable(), random.next(QueryLaw()))
      let desk = TradeDesk()
      let first = LiveList(law.grouped(law.base), of: desk)
      let second = LiveList(
        LiveQuery(of: TradeLine.self).filter { $0.trade.amount >= 0 }, of: first
      ) {
        LiveTable($0.sections.flatMap(\.rows))
      }
      var states = second.states.makeAsyncIterator()
      var shown = await states.next()?.items(in: 0)
      for _ in 0..<20 {
        random.change(&table, &plain, ids: 24, hashes: 3)
        if random.chance(4) {
          law = random.next(law)
          first.show(law.grouped(law.base))
        }
        await desk.sink(table)
        let lines = law.groupedSnapshot(of: plain.rows).sections.flatMap(\.items)
        let expected = lines.filter { $0.trade.amount >= 0 }
        // The list may first show the new query's result for the old table.
        while shown != expected, let state = await states.next() { shown = state.items(in: 0) }
      }
      return nil
    }
    #expect(complaint == nil)
  }

  @Test("D26: a join of two tables of one state shows both tables at the same point in time")
  func join() async {
    struct Book: Sendable {
      var trades = LiveTable<Trade>()
      var partners = LiveTable<Trade>()
    }
    actor Ledger: StateActor { let knot = Knot(Book()) }
    typealias Joined = LiveTable<Trade>.Joined<Trade>
    let complaint = await firstComplaintInPrograms(rounds: 25) { random in
      let hashes = random.chance(2) ? 2 : 1_000_000
      let (ledger, query) = (Ledger(), LiveQuery(of: Joined.self).filter { $0.row.amount > -3 })
      let list = LiveList(query, of: ledger, { $0.trades }, joinedWith: ledger, { $0.partners }) {
        $0.partner.map { TradeID(number: $0, hashes: hashes) }
      }
      var (book, trades, partners) = (Book(), PlainTable(), PlainTable())
      var states = list.states.makeAsyncIterator()
      var shown = await states.next()?.items(in: 0) ?? []
      for step in 0..<30 {
        for _ in 0..<random.integer(in: 0...2) {
          random.change(&book.trades, &trades, ids: 24, hashes: hashes)
        }
        for _ in 0..<random.integer(in: 0...2) {
          random.change(&book.partners, &partners, ids: 24, hashes: hashes)
        }
        await ledger.sink(book)
        let expected = trades.rows.filter { $0.amount > -3 }.map { row in
          Pair(row: row, match: partners.rows.first { $0.id.number == row.partner })
        }
        if expected == shown.map({ Pair(row: $0.row, match: $0.match) }) { continue }
        shown = await states.next()?.items(in: 0) ?? []
        if expected != shown.map({ Pair(row: $0.row, match: $0.match) }) {
          return "step \(step): \(shown)"
        }
      }
      return nil
    }
    #expect(complaint == nil)
  }

  private struct Pair: Equatable {
    let row: Trade
    let match: Trade?
  }

  @Test(
    "D26: each of thousands of sections appears with its first row and disappears with its last row"
  )
  func manySections() async {
    let query = LiveQuery(of: Trade.self).sections(by: \.group) { key, rows in
      "\(key): \(rows.count)"
    }
    var random = SeededGenerator(seed: 7)
    var (table, plain) = (LiveTable<Trade>(), [Int: Trade]())
    func put(_ random: inout SeededGenerator) {
      var trade = random.trade(of: 4_000, hashes: 100_000)
      trade.group = random.integer(in: 0...3_000)
      table.upsert(trade)
      plain[trade.id.number] = trade
    }
    for _ in 0..<4_000 { put(&random) }
    let desk = TradeDesk(table)
    let list = LiveList(query, of: desk)
    var states = list.states.makeAsyncIterator()
    var shown = await states.next()
    for step in 0..<8 {
      for _ in 0..<(step % 2 == 0 ? 1 : 200) {
        put(&random)
        let number = random.integer(in: 1...4_000)
        table.remove(id: TradeID(number: number, hashes: 100_000))
        plain[number] = nil
      }
      await desk.sink(table)
      shown = await states.next()
      let expected = Dictionary(grouping: plain.values, by: \.group)
      let keys = shown?.sections.map(\.diffIdentifier)
      #expect(keys == expected.keys.sorted(), "step \(step)")
      let isRight = shown?.sections.allSatisfy { section in
        let trades = expected[section.diffIdentifier] ?? []
        return section.content == "\(section.diffIdentifier): \(trades.count)"
          && section.rows.count == trades.count
          && section.rows.allSatisfy { plain[$0.id.number] == $0 }
      }
      #expect(isRight == true, "step \(step)")
    }
  }

  /// Runs random programs until one has a complaint, and returns the complaint or `nil`.
  private func firstComplaintInPrograms(
    rounds: Int, _ judge: (inout SeededGenerator) async -> String?
  ) async -> String? {
    for program in 0..<rounds * thoroughness {
      var random = SeededGenerator(seed: UInt64(program))
      if let complaint = await judge(&random) { return "program \(program): \(complaint)" }
    }
    return nil
  }
}
