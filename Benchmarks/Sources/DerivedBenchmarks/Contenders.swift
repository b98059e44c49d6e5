import AsyncDiff
import AsyncKnot

/// A row of 48 bytes.
struct Row: Diffable, Equatable, Sendable {
  let id: Int
  var name: String
  var price: Double
  var group: Int
  var isOpen: Bool
  var diffIdentifier: Int { id }

  static func isBefore(_ lhs: Row, _ rhs: Row) -> Bool {
    lhs.price != rhs.price ? lhs.price < rhs.price : lhs.id < rhs.id
  }
}

struct Section: SectionInflator {
  let items: [Row]
  var diffIdentifier: Int { 0 }
}

typealias Live = LiveSection<Int, Row, NoContent>

func snapshot(_ rows: [Row]) -> DiffableSnapshot<Section> {
  DiffableSnapshot(sections: [Section(items: rows)])
}

/// The old and the new version of a row.
typealias Change = (old: Row, new: Row)

/// A market in which the prices of random rows change.
struct Market {
  var rows: [Row]
  /// The index of each row by the row's identifier, which a screen needs to apply changes.
  let places: [Int: Int]
  private var random = SystemRandomNumberGenerator()

  init(count: Int) {
    rows = (0..<count).map {
      Row(
        id: $0, name: "row \($0)", price: Double.random(in: 0..<1_000), group: $0 % 20,
        isOpen: $0 % 4 != 0)
    }
    places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
  }

  /// Chooses random visible rows, and returns changes of their prices.
  mutating func draw(_ count: Int) -> [Change] {
    var places: Set<Int> = []
    let all = rows.count * 3 / 4
    while places.count < min(count, all) {
      let place = Int.random(in: rows.indices)
      if rows[place].isOpen { places.insert(place) }
    }
    return places.map { place in
      var new = rows[place]
      new.price = Double.random(in: 0..<1_000)
      return (rows[place], new)
    }
  }

  /// Writes the new versions of the changed rows.
  mutating func write(_ changes: [Change]) {
    for change in changes { if let place = places[change.new.id] { rows[place] = change.new } }
  }
}

/// A way to keep the list of a market up to date.
protocol Contender {
  var market: Market { get set }

  /// Writes the changed rows and shows the resulting list.
  mutating func step(_ changes: [Change]) async throws
}

/// The usual code without a `LiveList`: filter and sort all rows again.
struct Recomputing: Contender {
  var market: Market
  var shown: DiffableSnapshot<Section>

  init(_ market: Market) {
    self.market = market
    shown = Self.derive(market)
  }

  static func derive(_ market: Market) -> DiffableSnapshot<Section> {
    snapshot(market.rows.filter(\.isOpen).sorted(by: Row.isBefore))
  }

  mutating func step(_ changes: [Change]) {
    market.write(changes)
    let new = Self.derive(market)
    consume(shown.batches(to: new))
    shown = new
  }
}

/// A sorted array, edited by hand with a binary search.
struct Careful: Contender {
  var market: Market
  var list: [Row]
  var shown: DiffableSnapshot<Section>

  init(_ market: Market) {
    self.market = market
    shown = Recomputing.derive(market)
    list = shown.sections[0].items
  }

  static func place(of row: Row, in list: [Row]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if Row.isBefore(list[middle], row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func step(_ changes: [Change]) {
    market.write(changes)
    for (old, new) in changes {
      list.remove(at: Self.place(of: old, in: list))
      list.insert(new, at: Self.place(of: new, in: list))
    }
    let new = snapshot(list)
    consume(shown.batches(to: new))
    shown = new
  }
}

actor Holder: StateActor {
  let knot: Knot<LiveTable<Row>>

  init(_ rows: [Row]) { knot = Knot(LiveTable(rows)) }

  func upsert(_ changes: [Change]) { reduce { $0.upsert(changes.lazy.map { $0.new }) } }
}

/// Draws nothing.
actor Surface: CollectionSurface {
  typealias Section = Live
  private(set) var calls = 0
  private(set) var shown = DiffableSnapshot<Live>()

  func reloadData(_ snapshot: DiffableSnapshot<Live>) {
    shown = snapshot
    calls += 1
  }

  func performBatchUpdates(_ batch: BatchUpdates<Live>, animated: Bool) {
    shown = batch.snapshot
    calls += 1
  }

  nonisolated var nodePolicy: NodeDemand.Policy { .none }
}

func consume<Value>(_ value: Value) { Sink.take(value) }

enum Sink {
  @inline(never) static func take<Value>(_ value: Value) {}
}
