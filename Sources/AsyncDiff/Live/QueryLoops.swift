/// The loops over many rows, compiled where the types of the rows are known.
@usableFromInline
struct QueryLoops<
  Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable,
  Key: Hashable & Sendable
>: Sendable {
  /// Rows in the order of a query, with the numbers of their arrival.
  @usableFromInline typealias Rows = (items: [Item], arrivals: [Int])
  /// The rows of a section.
  @usableFromInline typealias Section = (key: Key, rows: Rows)
  @usableFromInline typealias Condition = @Sendable (Item) -> Bool

  /// How a row of the table becomes one that is shown: its item, which must fulfil the conditions and fail
  /// one of those that were dropped, if there are any; and its section.
  @usableFromInline
  typealias Steps = (
    item: @Sendable (Source) -> Item?, conditions: [Condition], dropped: [Condition],
    key: @Sendable (Item) -> Key
  )

  /// Compares rows of two versions of a table.
  let compare: @Sendable ([TableRow<Source>], [TableRow<Source>]) -> Changeset
  /// Finds the sections of rows in one pass; sections are in no order.
  let sections: @Sendable ([[TableRow<Source>]], Steps, RowOrder<Item>?) -> [Section]
  /// Finds the ranks of rows in a section of many leaves; see `ranks(of:in:_:areThere:)`.
  let ranks: @Sendable (Rows, [Rows], RowOrder<Item>?, Bool) -> [Int]?
  /// Finds the rows of a section that fail one of some conditions, with their ranks.
  let failing: @Sendable ([Rows], [Condition]) -> (ranks: [Int], items: [Item])

  @inlinable
  init() {
    self.init(
      compare: { Changeset(from: $0, to: $1) }, sections: { Self.sections(of: $0, $1, $2) },
      ranks: { Self.ranks(of: $0, in: $1, $2, areThere: $3) },
      failing: { Self.failing($0, $1) })
  }

  @usableFromInline
  init(
    compare: @escaping @Sendable ([TableRow<Source>], [TableRow<Source>]) -> Changeset,
    sections: @escaping @Sendable ([[TableRow<Source>]], Steps, RowOrder<Item>?) -> [Section],
    ranks: @escaping @Sendable (Rows, [Rows], RowOrder<Item>?, Bool) -> [Int]?,
    failing: @escaping @Sendable ([Rows], [Condition]) -> (ranks: [Int], items: [Item])
  ) {
    self.compare = compare
    self.sections = sections
    self.ranks = ranks
    self.failing = failing
  }

  @inlinable
  static func fulfils(_ item: Item, _ conditions: [Condition]) -> Bool {
    for condition in conditions where !condition(item) { return false }
    return true
  }

  /// The rows of each section, in their order.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  static func sections(
    of rows: [[TableRow<Source>]], _ steps: Steps, _ order: RowOrder<Item>?
  ) -> [Section] {
    let (item, conditions, dropped, key) = steps
    var sections: [Section] = []
    var places: [Key: Int] = [:]
    var last: (key: Key, place: Int)?
    for part in rows {
      for row in part {
        guard let item = item(row.row), dropped.isEmpty || !fulfils(item, dropped),
          fulfils(item, conditions)
        else { continue }
        let key = key(item)
        var place = last?.place ?? 0
        if last?.key != key {
          requireIdentity(key)
          place = places[key] ?? sections.count
          if place == sections.count {
            places[key] = place
            sections.append((key, ([], [])))
          }
          last = (key, place)
        }
        sections[place].rows.items.append(item)
        sections[place].rows.arrivals.append(row.arrival)
      }
    }
    return sections.map { ($0.key, sorted($0.rows, order)) }
  }

  @inlinable
  static func sorted(_ rows: Rows, _ order: RowOrder<Item>?) -> Rows {
    let (items, arrivals) = rows
    guard items.count > 1 else { return rows }
    let compare = order?.places(items)
    let places = items.indices.sorted { lhs, rhs in
      (compare?(lhs, rhs) ?? .same).isBefore(orElse: arrivals[lhs] < arrivals[rhs])
    }
    return (places.map { items[$0] }, places.map { arrivals[$0] })
  }

  /// The number of rows before each of some others, which are in order; nil if they must be there and one
  /// is not.
  ///
  /// - Complexity: O(leaves + *k*) for *k* rows.
  @inlinable
  static func ranks(
    of rows: Rows, in leaves: [Rows], _ order: RowOrder<Item>?, areThere: Bool
  ) -> [Int]? {
    var ranks: [Int] = []
    ranks.reserveCapacity(rows.items.count)
    var (place, start) = (0, 0)
    for (item, arrival) in zip(rows.items, rows.arrivals) {
      func isBefore(_ leaf: Rows, _ offset: Int) -> Bool {
        (order?.compare(leaf.items[offset], item) ?? .same)
          .isBefore(orElse: leaf.arrivals[offset] < arrival)
      }
      while place < leaves.count, isBefore(leaves[place], leaves[place].items.count - 1) {
        start += leaves[place].items.count
        place += 1
      }
      guard place < leaves.count else {
        if areThere { return nil }
        ranks.append(start)
        continue
      }
      let leaf = leaves[place]
      let offset = partitionPoint(0..<leaf.items.count) { !isBefore(leaf, $0) }
      if areThere, leaf.arrivals[offset] != arrival { return nil }
      ranks.append(start + offset)
    }
    return ranks
  }

  @inlinable
  static func failing(
    _ leaves: [Rows], _ conditions: [Condition]
  ) -> (ranks: [Int], items: [Item]) {
    var (ranks, items): ([Int], [Item]) = ([], [])
    var rank = 0
    for leaf in leaves {
      for item in leaf.items {
        if !fulfils(item, conditions) {
          ranks.append(rank)
          items.append(item)
        }
        rank += 1
      }
    }
    return (ranks, items)
  }
}
