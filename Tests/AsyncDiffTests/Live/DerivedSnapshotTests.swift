@testable import AsyncDiff

/// A setting that a query's closure reads, so that the closure is not pure.
private final class Setting: Sendable {
  private let stored = Mutex(0)

  var value: Int {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

/// Compares an updated list, after each change, with a list that is computed from the whole table.
@Suite struct DerivedSnapshotTests {
  @Test(
    "D26: an updated list has the same rows as its query computed anew from the whole table",
    arguments: [(6, 60), (60, 20), (900, 4)])
  func equalsRecomputation(count: Int, rounds: Int) {
    expectNoComplaint(seed: count, rounds: rounds) { random in
      var oracle = TableOracle()
      for _ in 0..<random.integer(in: 0...count) {
        oracle.upsert(Quote.random(upTo: count, using: &random))
      }
      var table = LiveTable(oracle.rows)
      var query = QueryOracle.random(upTo: count, using: &random)
      var shown = query.query
      var plan = (query, shown)
      let setting = Setting()
      var derived = DerivedSnapshot(shown, of: table)
      for step in 0..<25 {
        for _ in 0..<random.integer(in: 0...(step % 3 == 0 ? count / 3 : 2)) {
          oracle.edit(with: &table, upTo: count, using: &random)
        }
        let least = random.integer(in: -50...50)
        switch random.integer(in: 0...9) {
        case 0, 1:
          query = .random(upTo: count, using: &random)
          shown = query.query
          plan = (query, shown)
        case 2:
          // The same query with an additional condition, so the list does not sort again.
          query.least = max(query.least ?? least, least)
          shown = shown.filter { $0.quote.volume >= least }
        case 3:
          (query, shown) = plan
          query.least = max(query.least ?? least, least)
          shown = shown.filter { $0.quote.volume >= least }
        case 4:
          // A condition that reads the setting, whose value has changed.
          (query, shown) = plan
          setting.value = least
          query.least = max(query.least ?? least, least)
          shown = shown.filter { $0.quote.volume >= setting.value }
        case 5:
          // A query with another minimum, and perhaps other section contents, with new instances of all operators.
          if random.bool(probability: 0.5) { query.telling = .extremes }
          query.least = least
          shown = query.query
          plan = (query, shown)
        case 6:
          let window = QueryOracle.window(upTo: count, using: &random)
          query.window = window
          shown = shown.window(window)
        default: break
        }
        let before = derived.snapshot
        let hasChanged = derived.update(to: table, shown)
        guard derived.snapshot.sections == query.sections(of: oracle) else {
          return "step \(step): \(query) shows \(derived.snapshot)"
        }
        if !hasChanged, before != derived.snapshot {
          return "step \(step): the shown rows changed without a notification"
        }
        let replayed = StrictRows(before)
        if let complaint = Self.complaint(
          replaying: before.batches(to: derived.snapshot), on: replayed)
        {
          return "step \(step): \(complaint)"
        }
      }
      return nil
    }
  }

  private static func complaint(
    replaying stages: [BatchUpdates<QueryOracle.Section>], on rows: StrictRows<QueryOracle.Section>
  ) -> String? {
    var rows = rows
    for stage in stages {
      do { try rows.perform(stage) } catch { return "\(error)" }
    }
    return nil
  }

  private func follow<Section>(
    _ derived: inout DerivedSnapshot<Quote, Section>, _ table: LiveTable<Quote>
  ) -> Bool { derived.update(to: table, derived.query) }

  @Test("D26: the snapshot of a query is filtered, sorted, mapped, grouped and cut to the window")
  func once() {
    let table = LiveTable([
      Quote(id: "a", price: 2), Quote(id: "b", price: 1), Quote(id: "c", price: 2, isOpen: false),
      Quote(id: "d", price: 2),
    ])
    let query = LiveQuery(of: Quote.self).filter(\.isOpen).sorted(by: \.price, descending: true)
    #expect(query.snapshot(of: table).items(in: 0).map(\.id) == ["a", "d", "b"])
    #expect(query.window(1..<2).snapshot(of: table).items(in: 0).map(\.id) == ["d"])
    #expect(query.window(5..<9).snapshot(of: table).items(in: 0) == [])
    let lines = LiveQuery(of: Quote.self) { $0.price > 1 ? Quote(id: $0.id, volume: 7) : nil }
    #expect(lines.snapshot(of: table).items(in: 0).map(\.volume) == [7, 7, 7])
    #expect(query.snapshot(of: LiveTable()).numberOfSections == 1)
    #expect(query.sections(by: \.exchange).snapshot(of: LiveTable()).numberOfSections == 0)
    let sections = query.newestFirst().window(0..<2).sections(by: \.exchange)
    #expect(
      sections.snapshot(of: table).items(in: 0).map(\.id) == ["d", "a"],
      "sections are filtered, sorted and cut to the window")
  }

  @Test("D26: rows stay sorted after inserts with equal keys and after changes within one leaf")
  func hostile() {
    var table = LiveTable((0..<2_000).map { Quote(id: "\($0)", price: 1) })
    let query = LiveQuery(of: Quote.self).sorted(by: \.price)
    var derived = DerivedSnapshot(query, of: table)
    for number in 2_000..<2_300 {
      table.upsert(Quote(id: "\(number)", price: 1))
      _ = derived.update(to: table, query)
    }
    #expect(derived.snapshot.items(in: 0).map(\.id) == (0..<2_300).map { "\($0)" })
    let first = derived.snapshot.items(in: 0).prefix(60)
    for (number, quote) in first.enumerated() {
      table.update(id: quote.id) { $0.price = Double(60 - number) / 100 }
    }
    _ = derived.update(to: table, query)
    #expect(
      derived.snapshot.items(in: 0).prefix(60).map(\.id) == (0..<60).reversed().map { "\($0)" })
  }

  @Test(
    "D26: a long list is updated when few, many or most of its rows change",
    arguments: [9, 900, 60_000])
  func shares(count: Int) {
    var table = LiveTable((0..<60_000).map { Quote(id: "\($0)", volume: $0 % 100) })
    let query = LiveQuery(of: Quote.self).filter { $0.volume >= 0 }.sorted(by: \.volume)
    var derived = DerivedSnapshot(query, of: table)
    table.upsert(
      (0..<count).map { Quote(id: "\($0 * 60_000 / count)", volume: ($0 * 7 % 110) - 10) })
    table.upsert((0..<count / 9).map { Quote(id: "new \($0)", volume: $0 % 110) })
    #expect(follow(&derived, table))
    let rows = table.rows.filter { $0.volume >= 0 }.enumerated()
    let expected = rows.sorted { ($0.element.volume, $0.offset) < ($1.element.volume, $1.offset) }
    let isRight = derived.snapshot.items(in: 0) == expected.map { $0.element }
    #expect(isRight)
  }

  @Test("D26: if the results of a sort key change, the next update loses no rows")
  func impure() {
    let limit = Mutex(50)
    let query = LiveQuery(of: Quote.self).sorted { quote in
      limit.withLock { quote.volume < $0 ? quote.volume : -quote.volume }
    }
    var table = LiveTable((0..<1_000).map { Quote(id: "\($0)", volume: $0) })
    var derived = DerivedSnapshot(query, of: table)
    limit.withLock { $0 = 500 }
    // These changes are few enough for the list to edit its rows one by one.
    for id in 2..<7 { table.update(id: "\(id * 40)") { $0.price += 1 } }
    #expect(follow(&derived, table))
    #expect(Set(derived.snapshot.items(in: 0)) == Set(table.rows))
  }

  @Test(
    "D26: if the results of a measure change, a new query measures each section again"
  )
  func impureMeasure() {
    let factor = Mutex(1)
    let query = LiveQuery(of: Quote.self).sections(
      by: \.exchange, measuring: { quote in factor.withLock { quote.volume * $0 } }
    ) { _, _, volume in volume.sum }
    let table = LiveTable(
      (0..<100).map { Quote(id: "\($0)", exchange: $0 % 2, volume: $0 + 1) })
    var derived = DerivedSnapshot(query, of: table)
    factor.withLock { $0 = 1_000 }
    let filtered = query.filter { $0.volume > 10 }
    let isOther = derived.update(to: table, filtered)
    #expect(isOther)
    #expect(derived.snapshot == filtered.snapshot(of: table))
  }

  @Test("D26: a query that replaces another one does not call the measure of the old one")
  func oldMeasure() {
    let all = LiveQuery(of: Quote.self)
    let calls = Mutex(0)
    func query(
      from least: Int, counts: Bool
    ) -> LiveQuery<Quote, LiveSection<Int, Quote, Int?>> {
      all.filter { $0.volume >= least }.sections(
        by: \.exchange,
        measuring: { quote in
          if counts { calls.withLock { $0 += 1 } }
          return quote.volume
        }
      ) { _, _, volume in volume.sum }
    }
    let table = LiveTable((0..<100).map { Quote(id: "\($0)", volume: $0) })
    var derived = DerivedSnapshot(query(from: 0, counts: true), of: table)
    calls.withLock { $0 = 0 }
    let isOther = derived.update(to: table, query(from: 50, counts: false))
    #expect(isOther && calls.withLock { $0 } == 0)
    #expect(derived.snapshot.sections[0].content == (50..<100).reduce(0, +))
  }

  @Test("D26: a row that is removed and added again is no change if its position stays")
  func reinserted() {
    var table = LiveTable((0..<100).map { Quote(id: "\($0)", volume: $0) })
    let all = LiveQuery(of: Quote.self)
    var sorted = DerivedSnapshot(all.sorted(by: \.volume), of: table)
    var plain = DerivedSnapshot(all, of: table)
    let row = table.rows[7]
    table.remove(id: row.id)
    table.upsert(row)
    #expect(!follow(&sorted, table))
    #expect(follow(&plain, table), "the row is now the last one")
    #expect(plain.snapshot == all.snapshot(of: table))
  }

  @Test("D26: a query with another section key groups the rows again")
  func otherSections() {
    let all = LiveQuery(of: Quote.self)
    func grouped(_ shift: Int) -> LiveQuery<Quote, LiveSection<Int, Quote, NoContent>> {
      all.sections(by: { quote in (quote.exchange + shift) % 2 })
    }
    let table = LiveTable((0..<100).map { Quote(id: "\($0)", exchange: $0 % 2) })
    var derived = DerivedSnapshot(grouped(0), of: table)
    let isOther = derived.update(to: table, grouped(1))
    #expect(isOther)
    #expect(derived.snapshot == grouped(1).snapshot(of: table))
  }

  @Test("D26: a new query without a filter does not keep rows that were removed in the same update")
  func removedMeanwhile() {
    let all = LiveQuery(of: Quote.self)
    func grouped() -> LiveQuery<Quote, LiveSection<Int, Quote, NoContent>> {
      all.sections(by: { $0.exchange })
    }
    var table = LiveTable((0..<100).map { Quote(id: "\($0)", exchange: $0 % 2) })
    var derived = DerivedSnapshot(grouped(), of: table)
    table.remove(id: "2")
    let query = grouped()
    let isOther = derived.update(to: table, query)
    #expect(isOther)
    #expect(derived.snapshot == query.snapshot(of: table))
  }

  @Test("D26: a change of hidden rows does not change the snapshot")
  func unseen() {
    var table = LiveTable((0..<100).map { Quote(id: "\($0)", isOpen: $0 % 2 == 0) })
    let query = LiveQuery(of: Quote.self).filter(\.isOpen)
    var derived = DerivedSnapshot(query, of: table)
    table.update(id: "1") { $0.price = 7 }
    table.upsert(Quote(id: "2", isOpen: true))
    #expect(!follow(&derived, table))
    table.update(id: "2") { $0.price = 7 }
    #expect(follow(&derived, table))
  }

  @Test(
    "D26: a section is shown as soon as it has rows, even if the window hides them",
    arguments: [0..<0, 1..<3, 0..<2])
  func sectionOutsideTheWindow(_ window: Range<Int>) {
    var table = LiveTable([Quote(id: "a", exchange: 1), Quote(id: "b", exchange: 1)])
    let query = LiveQuery(of: Quote.self).sections(by: \.exchange).window(window)
    var derived = DerivedSnapshot(query, of: table)
    table.upsert(Quote(id: "c", exchange: 2))
    #expect(follow(&derived, table))
    #expect(derived.snapshot == query.snapshot(of: table))
    table.remove(id: "c")
    #expect(follow(&derived, table))
    #expect(derived.snapshot == query.snapshot(of: table))
  }

  @Test("D26: a change of only the window computes no content of a section again")
  func windowKeepsTheContents() {
    let computed = Mutex(0)
    let table = LiveTable((0..<40).map { Quote(id: "\($0)", exchange: $0 % 4) })
    let query = LiveQuery(of: Quote.self).sections(by: \.exchange) { exchange, quotes in
      computed.withLock { $0 += 1 }
      return "\(exchange): \(quotes.count)"
    }
    var derived = DerivedSnapshot(query.window(0..<2), of: table)
    #expect(computed.withLock { $0 } == 4)
    let hasChanged = derived.update(to: table, query.window(0..<5))
    #expect(hasChanged)
    #expect(computed.withLock { $0 } == 4)
    #expect(derived.snapshot == query.window(0..<5).snapshot(of: table))
  }

  @Test("D26: a change of one row among many sections compares few keys")
  func manySections() {
    struct Key: Hashable, Comparable, Sendable {
      static let comparisons = Mutex(0)
      let number: Int

      static func < (lhs: Self, rhs: Self) -> Bool {
        comparisons.withLock { $0 += 1 }
        return lhs.number < rhs.number
      }
    }
    var table = LiveTable((0..<4_000).map { Quote(id: "\($0)", exchange: $0) })
    let base = LiveQuery(of: Quote.self).sections(by: { Key(number: $0.exchange) })
    var derived = DerivedSnapshot(base.filter { _ in false }, of: table)
    _ = derived.update(to: table, base)
    #expect(derived.snapshot.sections.map(\.diffIdentifier.number) == Array(0..<4_000))
    Key.comparisons.withLock { $0 = 0 }
    table.update(id: "77") { $0.price = 1 }
    let hasChanged = derived.update(to: table, base)
    #expect(hasChanged)
    #expect(Key.comparisons.withLock { $0 } < 20)
  }

  @Test("D26: a change outside the window does not change the snapshot")
  func windowKept() {
    var table = LiveTable((0..<500).map { Quote(id: "\($0)", volume: $0) })
    let query = LiveQuery(of: Quote.self).sorted(by: \.volume).window(0..<10)
    var derived = DerivedSnapshot(query, of: table)
    table.update(id: "400") { $0.price = 7 }
    #expect(!follow(&derived, table))
    table.update(id: "4") { $0.price = 7 }
    #expect(follow(&derived, table))
  }
}
