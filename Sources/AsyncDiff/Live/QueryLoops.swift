/// The loops over many rows, compiled where the types of the rows are known.
@usableFromInline
struct QueryLoops<
  Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable,
  Key: Hashable & Sendable
>: Sendable {
  /// Rows of a section, in their order, with the numbers of their arrival.
  @usableFromInline typealias Rows = (key: Key, rows: [Item], arrivals: [Int])

  /// Compares rows of two versions of a table.
  let compare: @Sendable ([TableRow<Source>], [TableRow<Source>]) -> Changeset

  /// Finds the section and the order of rows in one pass; see `sections(of:by:_:showing:)`.
  let derive: @Sendable ([[TableRow<Source>]], Steps, RowOrder<Item>?, Shown) -> [Rows]

  /// How a row of the table becomes one that is shown: its item, the conditions, the section.
  @usableFromInline
  typealias Steps = (
    item: @Sendable (Source) -> Item?, conditions: [@Sendable (Item) -> Bool],
    key: @Sendable (Item) -> Key
  )

  /// The rows that are shown already, in their order; the arrivals of those that go; and, if these rows
  /// must be looked at, the conditions that they fulfil: other rows that do come from the table.
  @usableFromInline
  typealias Shown = (
    rows: [Rows], gone: Set<Int>, conditions: [@Sendable (Item) -> Bool]?
  )

  @inlinable
  init() {
    self.init(
      compare: { Changeset(from: $0, to: $1) },
      derive: { Self.sections(of: $0, by: $1, $2, showing: $3) })
  }

  @usableFromInline
  init(
    compare: @escaping @Sendable ([TableRow<Source>], [TableRow<Source>]) -> Changeset,
    derive:
      @escaping @Sendable ([[TableRow<Source>]], Steps, RowOrder<Item>?, Shown) -> [Rows]
  ) {
    self.compare = compare
    self.derive = derive
  }

  /// The rows of each section, in their order; sections are in no order.
  ///
  /// - Parameters:
  ///   - rows: Rows of the table, part by part.
  ///   - steps: What is made of each.
  ///   - order: The order of the rows; nil for that of their arrival.
  ///   - shown: What is shown already.
  /// - Returns: The rows of each section.
  /// - Complexity: O(*n*), and O(*k* log *k*) for the rows that come.
  @inlinable
  static func sections(
    of rows: [[TableRow<Source>]], by steps: Steps, _ order: RowOrder<Item>?, showing shown: Shown
  ) -> [Rows] {
    let (item, conditions, key) = steps
    func fulfils(_ item: Item, _ conditions: [@Sendable (Item) -> Bool]) -> Bool {
      for condition in conditions where !condition(item) { return false }
      return true
    }
    func isBefore(_ lhs: (Item, Int), _ rhs: (Item, Int)) -> Bool {
      switch order?.compare(lhs.0, rhs.0) ?? .same {
      case .before: true
      case .same: lhs.1 < rhs.1
      case .behind: false
      }
    }
    func sorted(_ section: Rows) -> Rows {
      let (_, rows, arrivals) = section
      let compare = order?.places(rows)
      let places = rows.indices.sorted { lhs, rhs in
        switch compare?(lhs, rhs) ?? .same {
        case .before: true
        case .same: arrivals[lhs] < arrivals[rhs]
        case .behind: false
        }
      }
      return (section.key, places.map { rows[$0] }, places.map { arrivals[$0] })
    }
    var coming: [Rows] = []
    var places: [Key: Int] = [:]
    var last: (key: Key, place: Int)?
    for part in rows {
      for row in part {
        guard let item = item(row.row), fulfils(item, conditions) else { continue }
        if let old = shown.conditions, fulfils(item, old) { continue }
        let key = key(item)
        var place = last?.place ?? 0
        if last?.key != key {
          requireIdentity(key)
          place = places[key] ?? coming.count
          if place == coming.count {
            places[key] = place
            coming.append((key, [], []))
          }
          last = (key, place)
        }
        coming[place].rows.append(item)
        coming[place].arrivals.append(row.arrival)
      }
    }
    var sections: [Rows] = []
    for section in shown.rows {
      let come = places.removeValue(forKey: section.key).map { sorted(coming[$0]) }
      let (newRows, newArrivals) = (come?.rows ?? [], come?.arrivals ?? [])
      var (rows, arrivals): ([Item], [Int]) = ([], [])
      rows.reserveCapacity(section.rows.count + newRows.count)
      arrivals.reserveCapacity(section.rows.count + newRows.count)
      var next = 0
      for (item, arrival) in zip(section.rows, section.arrivals) {
        if shown.gone.contains(arrival) { continue }
        if shown.conditions != nil, !fulfils(item, conditions) { continue }
        while next < newRows.count, isBefore((newRows[next], newArrivals[next]), (item, arrival)) {
          rows.append(newRows[next])
          arrivals.append(newArrivals[next])
          next += 1
        }
        rows.append(item)
        arrivals.append(arrival)
      }
      rows += newRows[next...]
      arrivals += newArrivals[next...]
      sections.append((section.key, rows, arrivals))
    }
    return sections + places.values.map { sorted(coming[$0]) }
  }
}
