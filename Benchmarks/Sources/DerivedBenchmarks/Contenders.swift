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

/// The rows of a market, of which random ones change their price.
struct Market {
  var rows: [Row]
  private var random = SystemRandomNumberGenerator()

  init(count: Int) {
    rows = (0..<count).map {
      Row(
        id: $0, name: "row \($0)", price: Double.random(in: 0..<1_000), group: $0 % 20,
        isOpen: $0 % 4 != 0)
    }
  }

  /// Changes the prices of some rows that are shown; returns them before and after.
  mutating func change(_ count: Int = 1) -> [(old: Row, new: Row)] {
    var places: Set<Int> = []
    let all = rows.count * 3 / 4
    while places.count < min(count, all) {
      let place = Int.random(in: rows.indices)
      if rows[place].isOpen { places.insert(place) }
    }
    return places.map { place in
      let old = rows[place]
      rows[place].price = Double.random(in: 0..<1_000)
      return (old, rows[place])
    }
  }
}

/// What a screen does without the package's lists: all anew.
struct Recomputing {
  var market: Market
  var shown: DiffableSnapshot<Section>

  init(_ market: Market) {
    self.market = market
    shown = Self.derive(market)
  }

  static func derive(_ market: Market) -> DiffableSnapshot<Section> {
    snapshot(market.rows.filter(\.isOpen).sorted(by: Row.isBefore))
  }

  mutating func step(_ count: Int) {
    _ = market.change(count)
    let new = Self.derive(market)
    consume(shown.batches(to: new))
    shown = new
  }
}

/// A sorted array that is edited by hand, with a binary search.
struct Careful {
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

  mutating func step() {
    for (old, new) in market.change() {
      list.remove(at: Self.place(of: old, in: list))
      list.insert(new, at: Self.place(of: new, in: list))
    }
    let new = snapshot(list)
    consume(shown.batches(to: new))
    shown = new
  }
}

/// The edit verbs of a snapshot.
struct Verbs {
  var market: Market
  var shown: DiffableSnapshot<Section>

  init(_ market: Market) {
    self.market = market
    shown = Recomputing.derive(market)
    _ = shown.path(ofItem: 1)
  }

  mutating func step() {
    var new = shown
    for (old, row) in market.change() {
      let rows = shown.sections[0].rows
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if Row.isBefore(rows[middle], row) { low = middle + 1 } else { high = middle }
      }
      let next = rows[min(low, rows.count - 1)].id
      if next != old.id { try? new.moveItem(old.id, beforeItem: next) }
      try? new.replaceItems([row])
    }
    consume(shown.batches(to: new))
    shown = new
  }
}

actor Holder: StateActor {
  let knot: Knot<LiveTable<Row>>

  init(_ rows: [Row]) { knot = Knot(LiveTable(rows)) }

  func upsert(_ rows: [Row]) { reduce { $0.upsert(rows) } }
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
