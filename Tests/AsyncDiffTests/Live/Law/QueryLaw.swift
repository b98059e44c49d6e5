/// A random query, and its result computed with plain arrays.
///
/// The computation was written from the articles alone, without the library's code.
struct QueryLaw {
  enum Key: CaseIterable { case price, amount, group, number }

  var isTerse = false
  /// Trades with this amount are not mapped to a line.
  var unlisted = 9
  /// The smallest amount of a trade that is shown.
  var least = -9
  /// A group that is not shown.
  var hidden = -1
  var keys: [(key: Key, isDescending: Bool)] = []
  var isNewestFirst = false
  var range: Range<Int>?
  /// Whether the filters are applied after `sections`.
  var filtersLast = false

  /// The lines of each section, by its key.
  func sections(of rows: [Trade]) -> [(key: Int, lines: [TradeLine])] {
    let lines = rows.filter { $0.amount != unlisted && $0.amount >= least && $0.group != hidden }
      .map { TradeLine(trade: $0, isTerse: isTerse) }
    return Set(lines.map(\.trade.group)).sorted().map { group in
      (group, sorted(lines.filter { $0.trade.group == group }))
    }
  }

  func sorted(_ lines: [TradeLine]) -> [TradeLine] {
    let arrived = Array((isNewestFirst ? lines.reversed() : lines).enumerated())
    return arrived.sorted { lhs, rhs in
      for (key, isDescending) in keys {
        let (left, right) = (Self.value(key, lhs.element), Self.value(key, rhs.element))
        if left.isNaN != right.isNaN { return right.isNaN }
        if !left.isNaN, left != right { return (left < right) != isDescending }
      }
      return lhs.offset < rhs.offset
    }.map(\.element)
  }

  static func value(_ key: Key, _ line: TradeLine) -> Double {
    switch key {
    case .price: line.trade.price
    case .amount: Double(line.trade.amount)
    case .group: Double(line.trade.group)
    case .number: Double(line.trade.id.number)
    }
  }

  /// The content of a section: the number of its lines, the sum of their amounts, and their lowest and highest price.
  static func title(_ lines: [TradeLine]) -> String {
    let prices = lines.map(\.trade.price)
    let numbers = prices.filter { !$0.isNaN }
    let (least, greatest) = (numbers.min(), prices.contains(where: \.isNaN) ? nil : numbers.max())
    return "\(lines.count) \(lines.reduce(0) { $0 + $1.trade.amount }) "
      + "\(least.map { $0 + 0 } ?? .nan) \(greatest.map { $0 + 0 } ?? .nan)"
  }

  func window<Line>(_ lines: [Line]) -> [Line] {
    guard let range else { return lines }
    return Array(lines.dropFirst(range.lowerBound).prefix(range.count))
  }
}

extension QueryLaw {
  typealias Flat = LiveQuery<Trade, LiveSection<Int, TradeLine, NoContent>>
  typealias Grouped = LiveQuery<Trade, LiveSection<Int, TradeLine, String>>

  /// The query without its filters, sections and window.
  ///
  /// A list with a search field keeps this query, and adds new filters at each keystroke.
  var base: Flat {
    let (isTerse, unlisted) = (isTerse, unlisted)
    var query = LiveQuery(of: Trade.self) {
      $0.amount == unlisted ? nil : TradeLine(trade: $0, isTerse: isTerse)
    }
    if isNewestFirst { query = query.newestFirst() }
    for (key, isDescending) in keys {
      query = query.sorted(by: { Self.value(key, $0) }, descending: isDescending)
    }
    return query
  }

  /// Whether another query has an equal `base`.
  func hasBase(of other: Self) -> Bool {
    isTerse == other.isTerse && unlisted == other.unlisted && isNewestFirst == other.isNewestFirst
      && keys.elementsEqual(other.keys) { $0 == $1 }
  }

  func flat(_ base: Flat) -> Flat {
    let (least, hidden) = (least, hidden)
    let query = base.filter { $0.trade.amount >= least }.filter { $0.trade.group != hidden }
    return range.map { query.window($0) } ?? query
  }

  func grouped(_ base: Flat) -> Grouped {
    func sections(_ query: Flat) -> Grouped {
      query.sections(by: \.trade.group, measuring: \.trade.price) { _, lines, prices in
        // The sum of the amounts is computed from the rows. The other values come from the measure.
        let least = prices.minimum.map { $0 + 0 } ?? .nan
        return "\(prices.count) \(lines.reduce(0) { $0 + $1.trade.amount }) "
          + "\(least) \(prices.maximum.map { $0 + 0 } ?? .nan)"
      }
    }
    let (least, hidden) = (least, hidden)
    var query =
      filtersLast
      ? sections(base).filter { $0.trade.amount >= least }.filter { $0.trade.group != hidden }
      : sections(base.filter { $0.trade.amount >= least }.filter { $0.trade.group != hidden })
    if let range { query = query.window(range) }
    return query
  }

  func flatSnapshot(of rows: [Trade]) -> DiffableSnapshot<LiveSection<Int, TradeLine, NoContent>> {
    let lines = sorted(sections(of: rows).flatMap(\.lines).inOrder(of: rows))
    return DiffableSnapshot(
      sections: [ShownSection(diffIdentifier: 0, content: NoContent(), items: window(lines))])
  }

  func groupedSnapshot(of rows: [Trade]) -> DiffableSnapshot<LiveSection<Int, TradeLine, String>> {
    DiffableSnapshot(
      sections: sections(of: rows).map { key, lines in
        ShownSection(diffIdentifier: key, content: Self.title(lines), items: window(lines))
      })
  }
}

extension [TradeLine] {
  /// The lines in the order in which their trades arrived.
  fileprivate func inOrder(of rows: [Trade]) -> [TradeLine] {
    rows.compactMap { row in first { $0.trade.id == row.id } }
  }
}

extension SeededGenerator {
  /// Returns a query with new filters and possibly a new window.
  ///
  /// Sometimes everything else is also new.
  mutating func next(_ law: QueryLaw) -> QueryLaw {
    var law = law
    law.least = chance(2) ? -9 : integer(in: -3...3)
    law.hidden = chance(2) ? -1 : integer(in: 0...4)
    if chance(2) {
      let start = chance(2) ? 0 : integer(in: 0...9)
      law.range = chance(3) ? nil : start..<start + integer(in: 0...9)
    }
    guard chance(4) else { return law }
    law.isTerse = chance(2)
    law.unlisted = chance(2) ? 99 : integer(in: -3...3)
    law.isNewestFirst = chance(3)
    law.filtersLast = chance(2)
    law.keys = (0..<integer(in: 0...2)).map { _ in
      let keys = QueryLaw.Key.allCases
      return (keys[integer(in: 0...keys.count - 1)], chance(2))
    }
    return law
  }
}
