/// What looks at all rows of leaves, in code compiled for their type: they ascend by their tags, so two lists of
/// them are merged.
extension LiveTable {
  /// A row before and after a change; nil where it is not there.
  typealias Change = (old: TableRow<Row>?, new: TableRow<Row>?)

  /// The rows that differ from an older version.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  func changes(since old: Self) -> [Change] {
    var changes: [Change] = []
    let (gone, come) = tree.leaves(since: old.tree)
    Self.forEachChange(from: gone, to: come) { changes.append(($0, $1)) }
    return changes
  }

  /// Calls a body with each row that differs between leaves of two versions, before and after.
  ///
  /// - Complexity: O(rows of the leaves): both ascend by their tags, so they are merged.
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
        // Rows with one hash are in no order.
        var come = takeAll(tag, &new)
        for row in takeAll(tag, &old) {
          let place = come.firstIndex { $0.diffIdentifier == row.diffIdentifier }
          let other = place.map { come.remove(at: $0) }
          if other != row { body(row, other) }
        }
        for row in come { body(nil, row) }
      }
    }
  }

  /// Adds or replaces so many rows that it is faster to look at each leaf, in code compiled for their type;
  /// false if it cannot, because rows with one hash are in several leaves.
  @inlinable
  mutating func merge(_ coming: TaggedRows<TableRow<Row>>) -> Bool {
    var next = 0
    return mapLeaves { leaf, nextTag in
      let start = next
      while next < coming.tags.count, nextTag.map({ coming.tags[next] < $0 }) ?? true { next += 1 }
      if start == next { return nil }
      var (rows, tags) = leaf
      rows.reserveCapacity(rows.count + next - start)
      tags.reserveCapacity(rows.count + next - start)
      var (place, isChanged) = (0, false)
      for (new, hash) in zip(coming.rows[start..<next], coming.tags[start..<next]) {
        while place < tags.count, tags[place] < hash { place += 1 }
        var same = place
        while same < tags.count, tags[same] == hash, rows[same].diffIdentifier != new.diffIdentifier
        {
          same += 1
        }
        if same == tags.count || tags[same] != hash {
          requireIdentity(new.diffIdentifier)
          rows.insert(new, at: same)
          tags.insert(hash, at: same)
        } else if rows[same].row != new.row {
          rows[same].row = new.row
        } else {
          continue
        }
        isChanged = true
      }
      return isChanged ? (rows, tags) : nil
    }
  }

  /// Makes other leaves; false if rows with one hash are in several.
  @usableFromInline
  mutating func mapLeaves(
    _ body: (TaggedRows<TableRow<Row>>, _ nextTag: Int?) -> TaggedRows<TableRow<Row>>?
  ) -> Bool {
    let leaves = tree.leaves
    guard zip(leaves, leaves.dropFirst()).allSatisfy({ $0.tags.last != $1.tags.first }) else {
      return false
    }
    tree.mapLeaves(body)
    return true
  }
}
