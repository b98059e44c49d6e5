/// The loops over many rows, compiled where the types of the rows are known.
@usableFromInline
struct QueryLoops<
  Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable,
  Key: Hashable & Sendable
>: Sendable {
  /// Rows of each section; the tag of each is the number of its arrival, or that number below 0.
  @usableFromInline typealias Sections = [Key: TaggedRows<Item>]
  /// Leaves of a table.
  @usableFromInline typealias Leaves = [TaggedRows<TableRow<Source>>]

  /// How a row of the table becomes one that is shown: its item, if it is shown, and its section; rows with
  /// some tags are left out; a tag is the number of arrival times a sign.
  @usableFromInline
  typealias Steps = (
    item: @Sendable (Source) -> Item?, isShown: @Sendable (Item) -> Bool,
    key: @Sendable (Item) -> Key, without: NumberSet?, sign: Int
  )

  /// What goes and what comes, by sections, in the order of the query; and whether any of it can be seen: a
  /// row that equals the one before may only be at another rank.
  @usableFromInline typealias Changes = (gone: Sections, come: Sections, areSeen: Bool)

  /// Finds what goes and what comes between leaves of two versions of a table.
  @usableFromInline let changes: @Sendable (Leaves, Leaves, Steps, RowOrder<Item>?) -> Changes
  /// Merges rows with a leaf of a section, of which the first row of the next leaf is known.
  @usableFromInline let edit:
    @Sendable (TaggedRows<Item>, Merge.Tagged?, inout Merge, RowOrder<Item>?) -> TaggedRows<Item>?
  /// Whether rows are in a section, and in an order.
  @usableFromInline let areInOrder:
    @Sendable ([TaggedRows<Item>], Key, @Sendable (Item) -> Key, RowOrder<Item>?) -> Bool

  @usableFromInline typealias Merge = RowMerge<Item>

  @inlinable
  init() {
    changes = { Self.changes(from: $0, to: $1, $2, $3) }
    edit = { leaf, next, merge, order in
      merge.edited(leaf, before: next) { Self.isBefore($0, $1, $2, $3, order) }
    }
    areInOrder = { Self.areInOrder($0, section: $1, $2, $3) }
  }

  /// What goes and what comes between leaves of two versions of a table.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows in these leaves, of which *k* change.
  @inlinable
  static func changes(
    from old: Leaves, to new: Leaves, _ steps: Steps, _ order: RowOrder<Item>?
  ) -> Changes {
    let (item, isShown, key, without, sign) = steps
    func shown(_ row: TableRow<Source>?) -> Item? {
      guard let row, without?.contains(row.arrival * sign) != true, let item = item(row.row),
        isShown(item)
      else { return nil }
      return item
    }
    typealias Parts = (all: [(key: Key, rows: TaggedRows<Item>)], places: [Key: Int], last: Int)
    func add(_ item: Item, _ tag: Int, to parts: inout Parts) {
      let key = key(item)
      if parts.all.isEmpty || parts.all[parts.last].key != key {
        requireIdentity(key)
        parts.last = parts.places[key] ?? parts.all.count
        if parts.last == parts.all.count {
          parts.places[key] = parts.last
          parts.all.append((key, ([], [])))
        }
      }
      parts.all[parts.last].rows.rows.append(item)
      parts.all[parts.last].rows.tags.append(tag)
    }
    func sections(_ parts: Parts) -> Sections {
      Dictionary(uniqueKeysWithValues: parts.all.map { ($0.key, sorted($0.rows, order)) })
    }
    var (gone, come): (Parts, Parts) = (([], [:], 0), ([], [:], 0))
    var areSeen = false
    LiveTable.forEachChange(from: old, to: new) { old, new in
      let (was, now) = (shown(old), shown(new))
      // An equal row may have another key, or another value to measure, so it goes and comes as well.
      if was != now || was != nil && old?.arrival != new?.arrival { areSeen = true }
      if let was, let old { add(was, old.arrival * sign, to: &gone) }
      if let now, let new { add(now, new.arrival * sign, to: &come) }
    }
    return (sections(gone), sections(come), areSeen)
  }

  @inlinable
  static func sorted(_ rows: TaggedRows<Item>, _ order: RowOrder<Item>?) -> TaggedRows<Item> {
    guard rows.rows.count > 1 else { return rows }
    let places =
      order?.sorted(rows.rows, rows.tags)
      ?? rows.tags.indices.sorted { rows.tags[$0] < rows.tags[$1] }
    return (places.map { rows.rows[$0] }, places.map { rows.tags[$0] })
  }

  /// Whether a row comes before another one.
  @inlinable
  static func isBefore(
    _ row: Item, _ tag: Int, _ other: Item, _ otherTag: Int, _ order: RowOrder<Item>?
  ) -> Bool {
    (order?.compare(row, other) ?? .same).isBefore(orElse: tag < otherTag)
  }

  /// Whether all rows are in a section, each before the next one.
  @inlinable
  static func areInOrder(
    _ leaves: [TaggedRows<Item>], section: Key, _ key: (Item) -> Key, _ order: RowOrder<Item>?
  ) -> Bool {
    var last: Merge.Tagged?
    for (rows, tags) in leaves {
      let keys = order?.places(rows)
      for place in rows.indices {
        guard key(rows[place]) == section else { return false }
        let isBehind =
          place > 0
          ? (keys?(place - 1, place) ?? .same).isBefore(orElse: tags[place - 1] < tags[place])
          : last.map { isBefore($0.row, $0.tag, rows[place], tags[place], order) } ?? true
        guard isBehind else { return false }
      }
      last = rows.last.map { ($0, tags[tags.count - 1]) }
    }
    return true
  }
}
