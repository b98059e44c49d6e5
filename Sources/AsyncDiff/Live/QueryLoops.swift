/// The loops over many rows, compiled where the types of the rows are known.
@usableFromInline
struct QueryLoops<
  Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable,
  Key: Hashable & Sendable
>: Sendable {
  /// Rows of each section, with the numbers of their arrival.
  @usableFromInline typealias Sections = [Key: TaggedRows<Item>]
  @usableFromInline typealias Condition = @Sendable (Item) -> Bool

  /// How a row of the table becomes one that is shown: its item, if it is shown, and its section.
  @usableFromInline
  typealias Steps = (
    item: @Sendable (Source) -> Item?, isShown: Condition, key: @Sendable (Item) -> Key
  )

  /// Finds what goes and what comes between leaves of two versions of a table.
  @usableFromInline let changes:
    @Sendable (
      [TaggedRows<TableRow<Source>>], [TaggedRows<TableRow<Source>>], Steps, RowOrder<Item>?
    ) -> (gone: Sections, come: Sections)
  /// Edits a leaf of a section, which may be the last one.
  @usableFromInline let edit:
    @Sendable (TaggedRows<Item>, Bool, Edit, inout Progress, RowOrder<Item>?) -> TaggedRows<Item>?

  /// What goes out of a section, by arrival or because it is not shown any more; and what comes, in order.
  @usableFromInline
  typealias Edit = (gone: Set<Int>, isShown: Condition?, come: TaggedRows<Item>)
  /// How far an edit is: what has gone, and the number of rows that came.
  @usableFromInline
  typealias Progress = (gone: [Item], come: Int)

  @inlinable
  init() {
    changes = { Self.changes(from: $0, to: $1, $2, $3) }
    edit = { Self.edited($0, isLast: $1, $2, &$3, $4) }
  }

  /// What goes and what comes between leaves of two versions of a table, by sections; what comes is in the
  /// order of the query.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows in these leaves, of which *k* change.
  @inlinable
  static func changes(
    from old: [TaggedRows<TableRow<Source>>], to new: [TaggedRows<TableRow<Source>>],
    _ steps: Steps, _ order: RowOrder<Item>?
  ) -> (gone: Sections, come: Sections) {
    let (item, isShown, key) = steps
    func shown(_ row: TableRow<Source>?) -> Item? {
      guard let row, let item = item(row.row), isShown(item) else { return nil }
      return item
    }
    typealias Parts = (all: [(key: Key, rows: TaggedRows<Item>)], places: [Key: Int], last: Int)
    func add(_ item: Item, _ arrival: Int, to parts: inout Parts) {
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
      parts.all[parts.last].rows.tags.append(arrival)
    }
    func sections(_ parts: Parts, _ rows: (TaggedRows<Item>) -> TaggedRows<Item>) -> Sections {
      Dictionary(uniqueKeysWithValues: parts.all.map { ($0.key, rows($0.rows)) })
    }
    var (gone, come): (Parts, Parts) = (([], [:], 0), ([], [:], 0))
    LiveTable.forEachChange(from: old, to: new) { old, new in
      let (was, now) = (shown(old), shown(new))
      if was == now, old?.arrival == new?.arrival { return }
      if let was, let old { add(was, old.arrival, to: &gone) }
      if let now, let new { add(now, new.arrival, to: &come) }
    }
    return (sections(gone) { $0 }, sections(come) { sorted($0, order) })
  }

  @inlinable
  static func sorted(_ rows: TaggedRows<Item>, _ order: RowOrder<Item>?) -> TaggedRows<Item> {
    guard rows.rows.count > 1 else { return rows }
    let places =
      order?.sorted(rows.rows, rows.tags)
      ?? rows.tags.indices.sorted { rows.tags[$0] < rows.tags[$1] }
    return (places.map { rows.rows[$0] }, places.map { rows.tags[$0] })
  }

  /// The rows of a leaf after an edit; nil if it does not concern them.
  ///
  /// - Complexity: O(rows)
  @inlinable
  static func edited(
    _ leaf: TaggedRows<Item>, isLast: Bool, _ edit: Edit, _ progress: inout Progress,
    _ order: RowOrder<Item>?
  ) -> TaggedRows<Item>? {
    let (come, first) = (edit.come, progress.come)
    func isBefore(_ place: Int, _ next: Int) -> Bool {
      (order?.compare(leaf.rows[place], come.rows[next]) ?? .same)
        .isBefore(orElse: leaf.tags[place] < come.tags[next])
    }
    while progress.come < come.rows.count,
      isLast || !isBefore(leaf.rows.count - 1, progress.come)
    {
      progress.come += 1
    }
    let stays = leaf.rows.indices.filter { place in
      if !edit.gone.contains(leaf.tags[place]), edit.isShown?(leaf.rows[place]) ?? true {
        return true
      }
      progress.gone.append(leaf.rows[place])
      return false
    }
    if progress.come == first, stays.count == leaf.rows.count { return nil }
    var (rows, tags): TaggedRows<Item> = ([], [])
    rows.reserveCapacity(stays.count + progress.come - first)
    tags.reserveCapacity(stays.count + progress.come - first)
    var copied = 0
    func copy(upTo end: Int) {
      for place in stays[copied..<end] {
        rows.append(leaf.rows[place])
        tags.append(leaf.tags[place])
      }
      copied = end
    }
    for next in first..<progress.come {
      copy(upTo: partitionPoint(copied..<stays.count) { !isBefore(stays[$0], next) })
      rows.append(come.rows[next])
      tags.append(come.tags[next])
    }
    copy(upTo: stays.count)
    return (rows, tags)
  }
}
