/// A row with what queries look at.
struct Quote: Diffable, Hashable, Codable, Sendable {
  let id: String
  var exchange = 0
  var price = 0.0
  var volume = 0
  var isOpen = true

  var diffIdentifier: String { id }

  /// A NaN is the same as another one, so that a row equals itself.
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.exchange == rhs.exchange
      && lhs.price.bitPattern == rhs.price.bitPattern && lhs.volume == rhs.volume
      && lhs.isOpen == rhs.isOpen
  }
}

/// An identifier that is only `Hashable`, with a hash that tells little.
struct Poor: Hashable, Sendable {
  let number: Int

  func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
}

/// A table as a list in the order of arrival: the plain way to do what `LiveTable` does.
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
      exchange: Int.random(in: 0...3, using: &random),
      price: Int.random(in: 0..<20, using: &random) == 0
        ? .nan : Double(Int.random(in: 0...9, using: &random)),
      volume: Int.random(in: -50...50, using: &random),
      isOpen: Int.random(in: 0..<10, using: &random) < 7)
  }
}

extension TableOracle {
  /// Edits a table and this oracle alike.
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
      // Removed, and back again at the end.
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

/// What a query shows, found from the list anew: shares nothing with how a list is kept up to date.
struct QueryOracle: Sendable {
  var needsOpen = false
  var least: Int?
  var sortsByPrice: SortDirection?
  var sortsByVolume = false
  var isSectioned = false
  var window: Range<Int>?

  typealias Section = LiveSection<Int, Quote, String>

  static func content(
    _ key: Int, _ count: Int, _ sum: Int, _ minimum: Int?, _ maximum: Int?
  ) -> String { "\(key): \(count) \(sum) \(minimum ?? 0) \(maximum ?? 0)" }

  var query: LiveQuery<Quote, Section> {
    var query = LiveQuery(of: Quote.self)
    if needsOpen { query = query.filter(\.isOpen) }
    if let sortsByPrice { query = query.sorted(by: \.price, sortsByPrice) }
    if sortsByVolume { query = query.sorted(by: \.volume) }
    let isSectioned = isSectioned
    var sections = query.sections(
      by: { isSectioned ? $0.exchange : 0 }, measuring: \.volume
    ) { key, rows, volume in
      Self.content(key, rows.count, volume.sum, volume.minimum, volume.maximum)
    }
    if let least { sections = sections.filter { $0.volume >= least } }
    return window.map { sections.window($0) } ?? sections
  }

  func sections(of table: TableOracle) -> [ShownSection<Section>] {
    var rows = table.rows.enumerated().filter { !needsOpen || $1.isOpen }
    if let least { rows = rows.filter { $1.volume >= least } }
    rows.sort { lhs, rhs in
      if let direction = sortsByPrice, !(lhs.element.price == rhs.element.price) {
        switch (lhs.element.price.isNaN, rhs.element.price.isNaN) {
        case (false, false):
          return (lhs.element.price < rhs.element.price) == (direction == .ascending)
        case (true, false): return false
        case (false, true): return true
        case (true, true): break
        }
      }
      if sortsByVolume, lhs.element.volume != rhs.element.volume {
        return lhs.element.volume < rhs.element.volume
      }
      return lhs.offset < rhs.offset
    }
    let keys = Set(rows.map { isSectioned ? $1.exchange : 0 }).sorted()
    return keys.map { key in
      let all = rows.map(\.element).filter { !isSectioned || $0.exchange == key }
      let volumes = all.map(\.volume)
      let shown = window.map { Array(all.dropFirst($0.lowerBound).prefix($0.count)) } ?? all
      return ShownSection(
        diffIdentifier: key,
        content: Self.content(
          key, all.count, volumes.reduce(0, +), volumes.min(), volumes.max()),
        items: shown)
    }
  }

  static func random(using random: inout some RandomNumberGenerator) -> QueryOracle {
    var oracle = QueryOracle()
    oracle.needsOpen = Bool.random(using: &random)
    oracle.least = Bool.random(using: &random) ? Int.random(in: -50...50, using: &random) : nil
    oracle.sortsByPrice = [nil, .ascending, .descending][Int.random(in: 0...2, using: &random)]
    oracle.sortsByVolume = Int.random(in: 0...2, using: &random) == 0
    oracle.isSectioned = Bool.random(using: &random)
    if Int.random(in: 0...2, using: &random) == 0 {
      let start = Int.random(in: 0...5, using: &random)
      oracle.window = start..<start + Int.random(in: 0...20, using: &random)
    }
    return oracle
  }
}
