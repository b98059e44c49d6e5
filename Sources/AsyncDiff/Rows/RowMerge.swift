/// The rows to remove from a tree and to insert into it, both in the tree's order, with the numbers of rows already merged.
@usableFromInline
struct RowMerge<Row: Sendable>: Sendable {
  @usableFromInline typealias Tagged = (row: Row, tag: Int)
  /// The rule for rows that are not in `removals`: a row stays if it satisfies the condition and its tag is not in `without`.
  @usableFromInline typealias Stays = (condition: (@Sendable (Row) -> Bool)?, without: Set<Int>)

  @usableFromInline var removals: TaggedRows<Row>
  @usableFromInline let insertions: TaggedRows<Row>
  /// `nil` if all rows that are not in `removals` stay.
  @usableFromInline let stays: Stays?
  /// The numbers of rows that have been removed and inserted so far.
  @usableFromInline var counts = (removals: 0, insertions: 0)
  /// All removed rows, including those that `stays` rejects.
  @usableFromInline var removed: TaggedRows<Row> = ([], [])

  init(
    removing removals: TaggedRows<Row> = ([], []), inserting insertions: TaggedRows<Row> = ([], []),
    keeping stays: Stays? = nil
  ) {
    (self.removals, self.insertions, self.stays) = (removals, insertions, stays)
  }

  /// Whether an unmerged row belongs before the next leaf; always `true` if `stays` must be checked for each row.
  @inlinable
  func isDue(
    before next: TaggedRows<Row>?, by isBefore: (Row, Int, Row, Int) -> Bool
  ) -> Bool {
    stays != nil || Self.isRow(counts.removals, of: removals, before: next, by: isBefore)
      || Self.isRow(counts.insertions, of: insertions, before: next, by: isBefore)
  }

  /// Whether `rows` has a row at the index `number` that belongs before the next leaf; every row does if `next` is `nil`.
  @inlinable
  static func isRow(
    _ number: Int, of rows: TaggedRows<Row>, before next: TaggedRows<Row>?,
    by isBefore: (Row, Int, Row, Int) -> Bool
  ) -> Bool {
    guard number < rows.rows.count else { return false }
    guard let next else { return true }
    return isBefore(rows.rows[number], rows.tags[number], next.rows[0], next.tags[0])
  }

  /// Merges the rows with a leaf.
  ///
  /// - Parameters:
  ///   - leaf: The rows of the leaf.
  ///   - next: The rows of the next leaf.
  ///   - isBefore: The order of the tree.
  /// - Returns: The new rows of the leaf; `nil` if it does not change.
  /// - Complexity: O(rows).
  @inlinable
  mutating func edited(
    _ leaf: TaggedRows<Row>, before next: TaggedRows<Row>?,
    by isBefore: (Row, Int, Row, Int) -> Bool
  ) -> TaggedRows<Row>? {
    /// The end of the rows that belong before the next leaf.
    func end(of rows: TaggedRows<Row>, from place: Int) -> Int {
      var end = place
      while Self.isRow(end, of: rows, before: next, by: isBefore) { end += 1 }
      return end
    }
    let (removalsEnd, insertionsEnd) = (
      end(of: removals, from: counts.removals), end(of: insertions, from: counts.insertions)
    )
    let rule = self.stays
    let (condition, without) = (rule?.condition, rule?.without ?? [])
    func stays(_ place: Int) -> Bool {
      (without.isEmpty || !without.contains(leaf.tags[place]))
        && condition?(leaf.rows[place]) ?? true
    }
    if counts == (removalsEnd, insertionsEnd) {
      if rule == nil || leaf.rows.indices.allSatisfy(stays) { return nil }
    }
    /// The index of the first row of the leaf, at or after `start`, that does not belong before the given row; the number of rows
    /// if there is none.
    func place(of number: Int, in rows: TaggedRows<Row>, from start: Int) -> Int {
      partitionPoint(start..<leaf.rows.count) {
        !isBefore(leaf.rows[$0], leaf.tags[$0], rows.rows[number], rows.tags[number])
      }
    }
    var doomed: [Int] = []
    for number in counts.removals..<removalsEnd {
      let place = place(of: number, in: removals, from: (doomed.last ?? -1) + 1)
      if place < leaf.rows.count, leaf.tags[place] == removals.tags[number] { doomed.append(place) }
    }
    counts.removals += doomed.count
    var (rows, tags): TaggedRows<Row> = ([], [])
    rows.reserveCapacity(leaf.rows.count + insertionsEnd - counts.insertions)
    tags.reserveCapacity(leaf.rows.count + insertionsEnd - counts.insertions)
    var (copied, nextDoomed) = (0, 0)
    func remove(_ place: Int) {
      removed.rows.append(leaf.rows[place])
      removed.tags.append(leaf.tags[place])
    }
    func add(_ places: Range<Int>) {
      if rule == nil {
        rows.append(contentsOf: leaf.rows[places])
        tags.append(contentsOf: leaf.tags[places])
        return
      }
      for place in places {
        if stays(place) {
          rows.append(leaf.rows[place])
          tags.append(leaf.tags[place])
        } else {
          remove(place)
        }
      }
    }
    func copy(upTo end: Int) {
      while nextDoomed < doomed.count, doomed[nextDoomed] < end {
        add(copied..<doomed[nextDoomed])
        remove(doomed[nextDoomed])
        copied = doomed[nextDoomed] + 1
        nextDoomed += 1
      }
      add(copied..<end)
      copied = end
    }
    for number in counts.insertions..<insertionsEnd {
      copy(upTo: place(of: number, in: insertions, from: copied))
      rows.append(insertions.rows[number])
      tags.append(insertions.tags[number])
    }
    counts.insertions = insertionsEnd
    copy(upTo: leaf.rows.count)
    return (rows, tags)
  }
}

extension RowTree {
  typealias Merge = RowMerge<Row>

  /// Removes and inserts rows; edits only the affected leaves.
  ///
  /// - Parameters:
  ///   - merge: The removals and insertions.
  ///   - isDue: Calls `merge.isDue`, in code that is specialized for the type of the rows.
  ///   - edited: Calls `merge.edited`, in code that is specialized for the type of the rows.
  /// - Returns: `true` if each row of `merge.removals` was at its sorted position.
  /// - Complexity: O(*k* log *n*) for *k* rows, or O(*n*) if `merge.stays` must be checked for each row; each affected leaf is
  ///   built once.
  mutating func perform(
    _ merge: inout Merge, where isDue: (inout Merge, _ next: TaggedRows<Row>?) -> Bool,
    _ edited: (TaggedRows<Row>, _ next: TaggedRows<Row>?, inout Merge) -> TaggedRows<Row>?
  ) -> Bool {
    mapLeaves { next in
      isDue(&merge, next?.all)
    } to: { rows, next in
      edited(rows, next?.all, &merge)
    }
    return merge.counts.removals == merge.removals.rows.count
  }

  /// Removes and inserts rows, in unspecialized code.
  mutating func perform(
    _ merge: inout Merge, by isBefore: (Merge.Tagged, Merge.Tagged) -> Bool
  ) -> Bool {
    perform(&merge) { merge, next in
      merge.isDue(before: next) { isBefore(($0, $1), ($2, $3)) }
    } _: { leaf, next, merge in
      merge.edited(leaf, before: next) { isBefore(($0, $1), ($2, $3)) }
    }
  }
}
