/// An identifier that can share its hash with many others.
struct TradeID: Hashable, Sendable, Comparable {
  let number: Int
  /// The number of different hashes.
  let hashes: Int

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }
}

/// A row of a table; its price may be NaN.
struct Trade: Diffable, Equatable, Sendable {
  let id: TradeID
  var price = 0.0
  var amount = 0
  var group = 0
  /// The number of the trade in another table to which this trade is joined.
  var partner: Int?

  var diffIdentifier: TradeID { id }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.price.bitPattern == rhs.price.bitPattern && lhs.amount == rhs.amount
      && lhs.group == rhs.group && lhs.partner == rhs.partner
  }
}

/// The shown part of a trade.
///
/// Two terse lines are equal even if they differ in price, group or partner.
struct TradeLine: Diffable, Equatable, Sendable {
  let trade: Trade
  let isTerse: Bool

  var diffIdentifier: TradeID { trade.id }

  static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.isTerse, rhs.isTerse else {
      return lhs.isTerse == rhs.isTerse && lhs.trade == rhs.trade
    }
    return lhs.trade.id == rhs.trade.id && lhs.trade.amount == rhs.trade.amount
  }
}

actor TradeDesk: StateActor {
  let knot: Knot<LiveTable<Trade>>

  init(_ table: LiveTable<Trade> = LiveTable()) { knot = Knot(table) }
}

/// A table as an array of rows, in the order of their arrival.
struct PlainTable {
  var rows: [Trade] = []

  mutating func upsert(_ row: Trade) {
    if let place = rows.firstIndex(where: { $0.id == row.id }) {
      rows[place] = row
    } else {
      rows.append(row)
    }
  }

  mutating func remove(_ number: Int) { rows.removeAll { $0.id.number == number } }

  mutating func replaceAll(_ new: [Trade]) {
    rows.removeAll { old in !new.contains { $0.id == old.id } }
    for row in new { upsert(row) }
  }
}

extension SeededGenerator {
  mutating func chance(_ part: Int) -> Bool { integer(in: 1...part) == 1 }

  mutating func trade(of count: Int, hashes: Int) -> Trade {
    let prices = [.nan, -.infinity, .infinity, -0.0, 0, 1, 2, 2, 3, 4.5]
    return Trade(
      id: TradeID(number: integer(in: 1...count), hashes: hashes),
      price: prices[integer(in: 0...prices.count - 1)], amount: integer(in: -3...3),
      group: integer(in: 0...4), partner: chance(2) ? nil : integer(in: 1...count))
  }

  /// Makes the same random change to a table and to its model.
  mutating func change(
    _ table: inout LiveTable<Trade>, _ plain: inout PlainTable, ids: Int, hashes: Int
  ) {
    switch integer(in: 0...9) {
    case 0:
      let rows = (0..<integer(in: 0...ids)).map { _ in trade(of: ids, hashes: hashes) }
      table.replaceAll(rows)
      plain.replaceAll(rows)
    case 1...2:
      let rows = (0..<integer(in: 0...12)).map { _ in trade(of: ids, hashes: hashes) }
      table.upsert(rows)
      for row in rows { plain.upsert(row) }
    case 3...4:
      let numbers = (0..<integer(in: 1...4)).map { _ in integer(in: 1...ids) }
      table.remove(ids: numbers.map { TradeID(number: $0, hashes: hashes) })
      for number in numbers { plain.remove(number) }
    case 5:
      let number = integer(in: 1...ids)
      let gone = table.remove(id: TradeID(number: number, hashes: hashes))
      assert(gone == plain.rows.first { $0.id.number == number })
      plain.remove(number)
    case 6:
      let (id, amount) = (TradeID(number: integer(in: 1...ids), hashes: hashes), integer(in: 5...9))
      table.update(id: id) { $0.amount = amount }
      if let place = plain.rows.firstIndex(where: { $0.id == id }) {
        plain.rows[place].amount = amount
      }
    default:
      let row = trade(of: ids, hashes: hashes)
      table.upsert(row)
      plain.upsert(row)
    }
  }
}
