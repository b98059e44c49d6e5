/// Loops over the rows of leaves, in code that is specialized for the type of the rows.
extension LiveTable {
  /// A row before and after a change: `old` is `nil` for an inserted row, `new` for a removed one.
  typealias RowChange = (old: TableRow<Row>?, new: TableRow<Row>?)

  /// The rows that differ from an older version, in O(*k* log *n*) for *k* rows.
  func changes(since old: Self) -> [RowChange] {
    var changes: [RowChange] = []
    let (removed, added) = tree.leaves(since: old.tree)
    Self.forEachChange(from: removed, to: added) { changes.append(($0, $1)) }
    return changes
  }

  /// Calls `body` with the old and the new version of each row that differs between the leaves of two tables.
  ///
  /// The method merges the leaves, whose rows are sorted by tag, in one pass.
  @inlinable
  static func forEachChange(
    from old: [TaggedRows<TableRow<Row>>], to new: [TaggedRows<TableRow<Row>>],
    _ body: (_ old: TableRow<Row>?, _ new: TableRow<Row>?) -> Void
  ) {
    typealias Place = (
      rest: ArraySlice<TaggedRows<TableRow<Row>>>, leaf: TaggedRows<TableRow<Row>>, row: Int
    )
    func hasRow(_ place: inout Place) -> Bool {
      if place.row == place.leaf.rows.count, let next = place.rest.popFirst() {
        (place.leaf, place.row) = (next, 0)
      }
      return place.row < place.leaf.rows.count
    }
    func takeAll(_ tag: Int, _ place: inout Place) -> [TableRow<Row>] {
      var rows: [TableRow<Row>] = []
      while hasRow(&place), place.leaf.tags[place.row] == tag {
        rows.append(place.leaf.rows[place.row])
        place.row += 1
      }
      return rows
    }
    if old.isEmpty {
      for leaf in new { for row in leaf.rows { body(nil, row) } }
      return
    }
    var (old, new): (Place, Place) = ((old[...], ([], []), 0), (new[...], ([], []), 0))
    while true {
      guard hasRow(&old) else {
        guard hasRow(&new) else { return }
        body(nil, new.leaf.rows[new.row])
        new.row += 1
        continue
      }
      let tag = old.leaf.tags[old.row]
      guard hasRow(&new), new.leaf.tags[new.row] <= tag else {
        body(old.leaf.rows[old.row], nil)
        old.row += 1
        continue
      }
      if new.leaf.tags[new.row] < tag {
        body(nil, new.leaf.rows[new.row])
        new.row += 1
      } else if old.leaf.rows[old.row].diffIdentifier == new.leaf.rows[new.row].diffIdentifier {
        if old.leaf.rows[old.row] != new.leaf.rows[new.row] {
          body(old.leaf.rows[old.row], new.leaf.rows[new.row])
        }
        (old.row, new.row) = (old.row + 1, new.row + 1)
      } else {
        // Rows with the same hash are in no particular order.
        var added = takeAll(tag, &new)
        for row in takeAll(tag, &old) {
          let place = added.firstIndex { $0.diffIdentifier == row.diffIdentifier }
          let other = place.map { added.remove(at: $0) }
          if other != row { body(row, other) }
        }
        for row in added { body(nil, row) }
      }
    }
  }

  /// An operation on rows of a table.
  @usableFromInline
  enum Edit: Sendable {
    /// Adds or replaces rows; a replacement keeps the arrival number.
    case upsert
    /// Adds or replaces rows, with the given arrival numbers.
    case put
    /// Removes the rows that have the identifiers of the given rows.
    case remove
  }

  /// Applies an operation to rows; if several have the same identifier, the last one wins.
  @inlinable
  mutating func edit(_ kind: Edit, _ coming: [TableRow<Row>]) {
    // The indices of the rows, sorted by hash; rows with the same hash keep the given order.
    let places = coming.indices.map { (hash: coming[$0].diffIdentifier.hashValue, place: $0) }
      .sorted { ($0.hash, $0.place) < ($1.hash, $1.place) }
    var next = 0
    func isBefore(_ nextTag: Int?, _ next: Int) -> Bool {
      next < places.count && (nextTag.map { places[next].hash < $0 } ?? true)
    }
    mapLeaves {
      isBefore($0, next)
    } to: { leaf, nextTag in
      var (rows, tags) = leaf
      var (row, end, isChanged) = (0, next, false)
      while isBefore(nextTag, end) { end += 1 }
      for (hash, place) in places[next..<end] {
        var new = coming[place]
        while row < tags.count, tags[row] < hash { row += 1 }
        var same = row
        while same < tags.count, tags[same] == hash, rows[same].diffIdentifier != new.diffIdentifier
        {
          same += 1
        }
        if same < tags.count, tags[same] == hash {
          if kind == .upsert { new.arrival = rows[same].arrival }
          if kind == .remove {
            rows.remove(at: same)
            tags.remove(at: same)
          } else if rows[same] == new {
            continue
          } else {
            rows[same] = new
          }
        } else if kind == .remove {
          continue
        } else {
          requireIdentity(new.diffIdentifier)
          if tags.count == leaf.tags.count {
            rows.reserveCapacity(rows.count + end - next)
            tags.reserveCapacity(rows.count + end - next)
          }
          if same == tags.count {
            rows.append(new)
            tags.append(hash)
          } else {
            rows.insert(new, at: same)
            tags.insert(hash, at: same)
          }
        }
        isChanged = true
      }
      next = end
      return isChanged ? (rows, tags) : nil
    }
  }

  /// Replaces leaves like `RowTree.mapLeaves`, but passes only the first tag of the next leaf to the closures, not the whole
  /// leaf.
  @usableFromInline
  mutating func mapLeaves(
    where isChosen: (_ nextTag: Int?) -> Bool,
    to body: (TaggedRows<TableRow<Row>>, _ nextTag: Int?) -> TaggedRows<TableRow<Row>>?
  ) {
    tree.mapLeaves {
      isChosen($0?.tags[0])
    } to: {
      body($0, $1?.tags[0])
    }
  }
}
