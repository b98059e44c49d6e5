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
  /// Edits a leaf of a section, of which the first row of the next leaf is known.
  @usableFromInline let edit:
    @Sendable (TaggedRows<Item>, First?, Edit, inout Progress, RowOrder<Item>?)
      -> TaggedRows<Item>?
  /// Whether rows are in a section, and in an order.
  @usableFromInline let areInOrder:
    @Sendable ([TaggedRows<Item>], Key, @Sendable (Item) -> Key, RowOrder<Item>?) -> Bool

  /// The first row of a leaf, with its tag.
  @usableFromInline typealias First = (row: Item, tag: Int)
  /// What is done with the rows of a section: some go, those stay that a condition accepts, others come.
  ///
  /// What goes and what comes is in the order of the query.
  @usableFromInline
  typealias Edit = (gone: TaggedRows<Item>, stays: Stays?, come: TaggedRows<Item>)
  /// Which rows stay: those that fulfil a condition, if there is one, without those with some tags.
  @usableFromInline
  typealias Stays = (condition: (@Sendable (Item) -> Bool)?, without: Set<Int>)
  /// How far an edit is: the number of rows that went and of those that came, and all that have gone.
  @usableFromInline
  typealias Progress = (gone: Int, come: Int, removed: [Item])

  @inlinable
  init() {
    changes = { Self.changes(from: $0, to: $1, $2, $3) }
    edit = { Self.edited($0, before: $1, $2, &$3, $4) }
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

  /// The rows of a leaf after an edit; nil if it does not concern them.
  ///
  /// - Complexity: O(rows)
  @inlinable
  static func edited(
    _ leaf: TaggedRows<Item>, before next: First?, _ edit: Edit, _ progress: inout Progress,
    _ order: RowOrder<Item>?
  ) -> TaggedRows<Item>? {
    /// The end of those rows, from a place on, that are before the next leaf.
    func end(of rows: TaggedRows<Item>, from place: Int) -> Int {
      guard let next else { return rows.rows.count }
      var end = place
      while end < rows.rows.count,
        isBefore(rows.rows[end], rows.tags[end], next.row, next.tag, order)
      {
        end += 1
      }
      return end
    }
    let (goneEnd, comeEnd) = (
      end(of: edit.gone, from: progress.gone), end(of: edit.come, from: progress.come)
    )
    let condition = edit.stays?.condition
    let without = edit.stays?.without ?? []
    func stays(_ place: Int) -> Bool {
      (without.isEmpty || !without.contains(leaf.tags[place]))
        && condition?(leaf.rows[place]) ?? true
    }
    if progress.gone == goneEnd, progress.come == comeEnd {
      if edit.stays == nil || leaf.rows.indices.allSatisfy(stays) { return nil }
    }
    /// The first place of the leaf, from one on, whose row is not before another row.
    func place(of number: Int, in rows: TaggedRows<Item>, from start: Int) -> Int {
      partitionPoint(start..<leaf.rows.count) {
        !isBefore(leaf.rows[$0], leaf.tags[$0], rows.rows[number], rows.tags[number], order)
      }
    }
    var doomed: [Int] = []
    for number in progress.gone..<goneEnd {
      let place = place(of: number, in: edit.gone, from: doomed.last ?? 0)
      if place < leaf.rows.count, leaf.tags[place] == edit.gone.tags[number] {
        doomed.append(place)
      }
    }
    progress.gone += doomed.count
    var (rows, tags): TaggedRows<Item> = ([], [])
    rows.reserveCapacity(leaf.rows.count + comeEnd - progress.come)
    tags.reserveCapacity(leaf.rows.count + comeEnd - progress.come)
    var (copied, nextDoomed) = (0, 0)
    func add(_ places: Range<Int>) {
      if edit.stays == nil {
        rows.append(contentsOf: leaf.rows[places])
        tags.append(contentsOf: leaf.tags[places])
        return
      }
      for place in places {
        if stays(place) {
          rows.append(leaf.rows[place])
          tags.append(leaf.tags[place])
        } else {
          progress.removed.append(leaf.rows[place])
        }
      }
    }
    func copy(upTo end: Int) {
      while nextDoomed < doomed.count, doomed[nextDoomed] < end {
        add(copied..<doomed[nextDoomed])
        progress.removed.append(leaf.rows[doomed[nextDoomed]])
        copied = doomed[nextDoomed] + 1
        nextDoomed += 1
      }
      add(copied..<end)
      copied = end
    }
    for number in progress.come..<comeEnd {
      copy(upTo: place(of: number, in: edit.come, from: copied))
      rows.append(edit.come.rows[number])
      tags.append(edit.come.tags[number])
    }
    progress.come = comeEnd
    copy(upTo: leaf.rows.count)
    return (rows, tags)
  }

  /// Whether all rows are in a section, each before the next one.
  @inlinable
  static func areInOrder(
    _ leaves: [TaggedRows<Item>], section: Key, _ key: (Item) -> Key, _ order: RowOrder<Item>?
  ) -> Bool {
    var last: First?
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
