/// The loops of a query over many rows, specialized in the module that knows the types of the rows.
@usableFromInline
struct QueryLoops<
  Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable,
  Key: Hashable & Sendable
>: Sendable {
  /// The rows of each section, tagged with their arrival numbers, which are negated if the newest row is first.
  @usableFromInline typealias Sections = [Key: TaggedRows<Item>]
  @usableFromInline typealias Leaves = [TaggedRows<TableRow<Source>>]

  /// Maps, filters and groups a row; skips it if its tag, the arrival number times `sign`, is in `without`.
  @usableFromInline
  typealias Steps = (
    item: @Sendable (Source) -> Item?, isShown: @Sendable (Item) -> Bool,
    key: @Sendable (Item) -> Key, without: NumberSet?, sign: Int
  )

  /// The rows to remove and insert in each section, in the query's order.
  ///
  /// `areSeen` is `false` if every change only replaces a row with an equal row, even if the new row is at another position.
  @usableFromInline typealias Changes = (removals: Sections, insertions: Sections, areSeen: Bool)

  /// Finds the changes between the leaves of two versions of a table.
  @usableFromInline let changes: @Sendable (Leaves, Leaves, Steps, RowOrder<Item>?) -> Changes
  /// Merges rows into a leaf of a section, given the rows of the next leaf.
  @usableFromInline let edit:
    @Sendable (TaggedRows<Item>, TaggedRows<Item>?, inout RowMerge<Item>, RowOrder<Item>?) ->
      TaggedRows<Item>?
  /// Whether a row of a merge belongs before the next leaf of a section; the merge is `inout` to avoid a copy.
  @usableFromInline let isDue:
    @Sendable (inout RowMerge<Item>, TaggedRows<Item>?, RowOrder<Item>?) -> Bool
  /// Whether all rows belong to the section with the given key and are in the query's order.
  @usableFromInline let areInOrder:
    @Sendable ([TaggedRows<Item>], Key, @Sendable (Item) -> Key, RowOrder<Item>?) -> Bool

  @inlinable
  init() {
    changes = { Self.changes(from: $0, to: $1, $2, $3) }
    edit = { leaf, next, merge, order in
      merge.edited(leaf, before: next) { Self.isBefore($0, $1, $2, $3, order) }
    }
    isDue = { merge, next, order in
      merge.isDue(before: next) { Self.isBefore($0, $1, $2, $3, order) }
    }
    areInOrder = { Self.areInOrder($0, section: $1, $2, $3) }
  }

  /// The changes between the leaves of two versions of a table.
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
    var (removals, insertions): (Parts, Parts) = (([], [:], 0), ([], [:], 0))
    var areSeen = false
    LiveTable.forEachChange(from: old, to: new) { old, new in
      let (was, now) = (shown(old), shown(new))
      // An equal row may have a different key or measured value, so the row is removed and inserted again.
      if was != now { areSeen = true }
      if let was, let old { add(was, old.arrival * sign, to: &removals) }
      if let now, let new { add(now, new.arrival * sign, to: &insertions) }
    }
    return (sections(removals), sections(insertions), areSeen)
  }

  @inlinable
  static func sorted(_ rows: TaggedRows<Item>, _ order: RowOrder<Item>?) -> TaggedRows<Item> {
    guard rows.rows.count > 1 else { return rows }
    let places =
      order?.sorted(rows.rows, rows.tags)
      ?? rows.tags.indices.sorted { rows.tags[$0] < rows.tags[$1] }
    return (places.map { rows.rows[$0] }, places.map { rows.tags[$0] })
  }

  @inlinable
  static func isBefore(
    _ row: Item, _ tag: Int, _ other: Item, _ otherTag: Int, _ order: RowOrder<Item>?
  ) -> Bool {
    (order?.compare(row, other) ?? .same).isBefore(orElse: tag < otherTag)
  }

  /// Whether all rows belong to the section with the given key, and each row belongs before the next one.
  @inlinable
  static func areInOrder(
    _ leaves: [TaggedRows<Item>], section: Key, _ key: (Item) -> Key, _ order: RowOrder<Item>?
  ) -> Bool {
    var last: RowMerge<Item>.Tagged?
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
