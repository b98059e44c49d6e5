/// A row that shows a quote.
///
/// Two lines may be equal even if a query sorts, groups or measures them differently.
struct Line: Diffable, Equatable, Sendable {
  let quote: Quote

  var diffIdentifier: String { quote.id }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.quote.id == rhs.quote.id && lhs.quote.isOpen == rhs.quote.isOpen
  }
}

/// A query, and its result computed from the whole table with plain arrays.
///
/// The computation shares no code with `DerivedSnapshot`.
struct QueryOracle: Sendable {
  /// The facts that a section's content shows.
  ///
  /// With `nothing`, the contents of all sections are equal.
  enum Telling: CaseIterable { case all, extremes, nothing }

  var needsOpen = false
  var least: Int?
  /// Whether the sort by price is descending; `nil` if the query does not sort by price.
  var isPriceDescending: Bool?
  var sortsByVolume = false
  var isNewestFirst = false
  /// The number of sections.
  ///
  /// A row's section is its exchange modulo this number.
  var sectionCount = 1
  var telling = Telling.all
  var window: Range<Int>?

  typealias Section = LiveSection<Int, Line, String>

  func content(
    _ key: Int, _ count: Int, _ sum: Int, _ minimum: Int?, _ maximum: Int?
  ) -> String {
    switch telling {
    case .all: "\(key): \(count) \(sum) \(minimum ?? 0) \(maximum ?? 0)"
    case .extremes: "\(minimum ?? 0) \(maximum ?? 0)"
    case .nothing: ""
    }
  }

  var query: LiveQuery<Quote, Section> {
    var query = LiveQuery(of: Quote.self) { Line(quote: $0) }
    if needsOpen { query = query.filter(\.quote.isOpen) }
    if let isPriceDescending {
      query = query.sorted(by: \.quote.price, descending: isPriceDescending)
    }
    if sortsByVolume { query = query.sorted(by: \.quote.volume) }
    if isNewestFirst { query = query.newestFirst() }
    let (oracle, sectionCount) = (self, sectionCount)
    var sections = query.sections(
      by: { $0.quote.exchange % sectionCount }, measuring: \.quote.volume
    ) { key, rows, volume in
      oracle.content(key, rows.count, volume.sum, volume.minimum, volume.maximum)
    }
    if let least { sections = sections.filter { $0.quote.volume >= least } }
    return window.map { sections.window($0) } ?? sections
  }

  func sections(of table: TableOracle) -> [ShownSection<Section>] {
    var rows = table.rows.enumerated().filter { !needsOpen || $1.isOpen }
    if let least { rows = rows.filter { $1.volume >= least } }
    rows.sort { lhs, rhs in
      if let isPriceDescending, !(lhs.element.price == rhs.element.price) {
        switch (lhs.element.price.isNaN, rhs.element.price.isNaN) {
        case (false, false):
          return (lhs.element.price < rhs.element.price) != isPriceDescending
        case (true, false): return false
        case (false, true): return true
        case (true, true): break
        }
      }
      if sortsByVolume, lhs.element.volume != rhs.element.volume {
        return lhs.element.volume < rhs.element.volume
      }
      return isNewestFirst ? lhs.offset > rhs.offset : lhs.offset < rhs.offset
    }
    var groups: [Int: [Quote]] = [:]
    for (_, row) in rows { groups[row.exchange % sectionCount, default: []].append(row) }
    return groups.keys.sorted().map { key in
      let all = groups[key] ?? []
      let volumes = all.map(\.volume)
      let shown = window.map { Array(all.dropFirst($0.lowerBound).prefix($0.count)) } ?? all
      return ShownSection(
        diffIdentifier: key,
        content: content(key, all.count, volumes.reduce(0, +), volumes.min(), volumes.max()),
        items: shown.map { Line(quote: $0) })
    }
  }

  /// Returns a random window; half or more of the windows start at one of the first three ranks.
  static func window(upTo count: Int, using random: inout some RandomNumberGenerator) -> Range<Int>
  {
    let start = Int.random(in: 0...(Bool.random(using: &random) ? 2 : count), using: &random)
    return start..<start + Int.random(in: 0...20, using: &random)
  }

  static func random(upTo count: Int, using random: inout some RandomNumberGenerator) -> QueryOracle
  {
    var oracle = QueryOracle()
    oracle.needsOpen = Bool.random(using: &random)
    oracle.least = Bool.random(using: &random) ? Int.random(in: -50...50, using: &random) : nil
    oracle.isPriceDescending = [nil, false, true][Int.random(in: 0...2, using: &random)]
    oracle.sortsByVolume = Int.random(in: 0...2, using: &random) == 0
    oracle.isNewestFirst = Int.random(in: 0...3, using: &random) == 0
    oracle.sectionCount = [1, 2, 4, .max][Int.random(in: 0...3, using: &random)]
    oracle.telling = Telling.allCases.randomElement(using: &random) ?? .all
    if Bool.random(using: &random) { oracle.window = window(upTo: count, using: &random) }
    return oracle
  }
}
