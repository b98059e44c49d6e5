/// A row with the properties that queries read.
struct Quote: Diffable, Hashable, Codable, Sendable {
  let id: String
  var exchange = 0
  var price = 0.0
  var volume = 0
  var isOpen = true

  var diffIdentifier: String { id }

  /// Treats two NaN prices as equal, so that a row equals itself.
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.exchange == rhs.exchange
      && lhs.price.bitPattern == rhs.price.bitPattern && lhs.volume == rhs.volume
      && lhs.isOpen == rhs.isOpen
  }
}

/// An identifier that is only `Hashable`, with a hash that often collides.
struct Poor: Hashable, Sendable {
  let number: Int

  func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
}

/// A plain model of `LiveTable`: a list of rows in the order of their arrival.
struct TableOracle {
  private(set) var rows: [Quote] = []

  mutating func upsert(_ row: Quote) {
    if let place = rows.firstIndex(where: { $0.id == row.id }) {
      rows[place] = row
    } else {
      rows.append(row)
    }
  }

  mutating func remove(_ id: String) { rows.removeAll { $0.id == id } }

  mutating func replaceAll(_ new: [Quote]) {
    let ids = Set(new.map(\.id))
    rows.removeAll { !ids.contains($0.id) }
    for row in new { upsert(row) }
  }
}

extension Quote {
  static func random(upTo count: Int, using random: inout some RandomNumberGenerator) -> Quote {
    Quote(
      id: "q\(Int.random(in: 0...count, using: &random))",
      exchange: Int.random(in: 0...(Bool.random(using: &random) ? 3 : count), using: &random),
      price: Int.random(in: 0..<20, using: &random) == 0
        ? .nan : Double(Int.random(in: 0...9, using: &random)),
      volume: Int.random(in: -50...50, using: &random),
      isOpen: Int.random(in: 0..<10, using: &random) < 7)
  }
}

extension TableOracle {
  /// Makes the same random edit to a table and to this oracle.
  mutating func edit(
    with table: inout LiveTable<Quote>, upTo count: Int,
    using random: inout some RandomNumberGenerator
  ) {
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      let id = "q\(Int.random(in: 0...count, using: &random))"
      table.remove(id: id)
      remove(id)
    case 1:
      // Remove a row and insert it again, at the end.
      guard let row = rows.randomElement(using: &random) else { return }
      table.remove(id: row.id)
      remove(row.id)
      table.upsert(row)
      upsert(row)
    case 2 where Int.random(in: 0..<5, using: &random) == 0:
      let new = (0...count / 2).map { _ in Quote.random(upTo: count, using: &random) }
      table.replaceAll(new)
      replaceAll(new)
    case 3:
      let new = (0...3).map { _ in Quote.random(upTo: count, using: &random) }
      table.upsert(new)
      for row in new { upsert(row) }
    case 4:
      guard var row = rows.randomElement(using: &random) else { return }
      table.update(id: row.id) { $0.volume += 1 }
      row.volume += 1
      upsert(row)
    default:
      let row = Quote.random(upTo: count, using: &random)
      table.upsert(row)
      upsert(row)
    }
  }
}
