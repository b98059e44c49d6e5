import AsyncDiff
import AsyncKnot

/// A row of the market.
struct Quote: Diffable, Equatable, Sendable {
  let id: Int
  let name: String
  /// The price in hundredths of a unit.
  var price: Int
  var volume = 0

  var diffIdentifier: Int { id }

  init(id: Int) {
    self.id = id
    // Multiplying by this odd number gives each of a million rows a different name, in no particular order.
    var number = UInt32(truncatingIfNeeded: id) &* 2_654_435_761 % 11_881_376
    price = Int(number % 99_900) + 100
    var letters: [Character] = []
    for _ in 0..<5 {
      letters.append(Character(Unicode.Scalar(UInt8(65 + number % 26))))
      number /= 26
    }
    name = String(letters)
  }
}

/// Holds all rows, some of which change constantly.
actor Market: StateActor {
  let knot: Knot<LiveTable<Quote>>

  init(rows: Int) { knot = Knot(LiveTable((0..<rows).lazy.map(Quote.init))) }

  /// Changes a number of rows in one step.
  func trade(_ count: Int) {
    reduce { table in
      let rows = table.count
      table.upsert(
        (0..<count).compactMap { _ in table[Int.random(in: 0..<rows)] }.map { quote in
          var quote = quote
          quote.price = max(1, quote.price + Int.random(in: -99...99))
          quote.volume += Int.random(in: 1...9)
          return quote
        })
    }
  }
}

/// The user's filter, order and scroll position.
struct Wishes: Equatable, Sendable {
  enum Order: CaseIterable, Sendable {
    case name, price, volume, arrival
  }

  var order = Order.volume
  /// The prefix of the shown names.
  var prefix = ""
  /// The rank of the first visible row.
  var top = 0

  /// Returns the query to show, which is `ordered` with a filter for the prefix.
  func query(from ordered: MarketQuery) -> MarketQuery {
    prefix.isEmpty ? ordered : ordered.filter { [prefix] in $0.name.hasPrefix(prefix) }
  }

  /// Returns the query that sorts the quotes in an order.
  ///
  /// A list can switch in one pass between queries that are derived from the same query.
  static func ordered(by order: Order) -> MarketQuery {
    let query = LiveQuery(of: Quote.self)
    return switch order {
    case .name: query.sorted(by: \.name)
    case .price: query.sorted(by: \.price, descending: true)
    case .volume: query.sorted(by: \.volume, descending: true)
    case .arrival: query
    }
  }
}

typealias MarketQuery = LiveQuery<Quote, LiveSection<Int, Quote, NoContent>>
