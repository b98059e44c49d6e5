extension LiveTable {
  /// A row of a table, combined with the row that it refers to in another table.
  public struct Joined<Other: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
    /// The row of the table that was joined with the other one.
    public let row: Row
    /// The row that `row` refers to; `nil` if it refers to none, or if the other table does not contain that row.
    public let match: Other?

    /// The identifier of `row`.
    public var diffIdentifier: ID { row.diffIdentifier }
  }

  /// Joins each row with the row that it refers to in another table.
  ///
  /// Like a left join in SQL, the result also contains each row without a match. The joined rows keep the order of arrival.
  ///
  /// <!-- sample:
  /// let (orders, customers) = (LiveTable<Order>(), LiveTable<Customer>())
  /// typealias Joined = LiveTable<Order>.Joined<Customer>
  /// -->
  /// ```swift
  /// let query = LiveQuery(of: Joined.self).sorted { $0.match?.name ?? "" }
  /// print(query.snapshot(of: orders.joined(with: customers, on: \.customer)))
  /// ```
  /// This method joins all rows once. A list created by ``LiveList/init(_:of:joinedWith:on:)`` follows both tables, and each
  /// update costs time only for the changed rows.
  ///
  /// - Parameters:
  ///   - others: The other table.
  ///   - key: Returns the identifier of the row that a row refers to in the other table, or `nil` if it refers to none.
  /// - Returns: The table of the joined rows.
  /// - Complexity: O(*n* log *m*) for *n* rows, and *m* rows of the other table.
  public func joined<Other>(
    with others: LiveTable<Other>, on key: (Row) -> Other.DiffIdentifier?
  ) -> LiveTable<Joined<Other>> {
    mapRows { row in Joined(row: row, match: key(row).flatMap { others[$0] }) }
  }
}

/// A value that joins two tables, and updates the join to each newer version of the tables.
struct TableJoin<Row: Diffable & Equatable & Sendable, Other: Diffable & Equatable & Sendable>:
  Sendable
{
  typealias Key = @Sendable (Row) -> Other.DiffIdentifier?
  /// The identifier and the arrival number of a row that refers to a row of the other table.
  private typealias Naming = (id: Row.DiffIdentifier, arrival: Int)

  private let key: Key
  private var rows: LiveTable<Row>
  private var others: LiveTable<Other>
  /// The rows that refer to another row, sorted by tag, which is the hash of the other row's identifier, and then by arrival.
  private var namings: RowTree<Naming>
  private(set) var table: LiveTable<LiveTable<Row>.Joined<Other>>

  init(_ rows: LiveTable<Row>, with others: LiveTable<Other>, on key: @escaping Key) {
    (self.rows, self.others, self.key) = (rows, others, key)
    table = rows.joined(with: others, on: key)
    let all = Self.sorted(
      rows.tree.array.compactMap { row in
        key(row.row).map { ((row.diffIdentifier, row.arrival), $0.hashValue) }
      })
    namings = RowTree(all.rows, tags: all.tags)
  }

  private static func sorted(_ namings: [RowMerge<Naming>.Tagged]) -> TaggedRows<Naming> {
    let sorted = namings.sorted(by: isBefore)
    return (sorted.map { $0.row }, sorted.map { $0.tag })
  }

  private static func isBefore(
    _ lhs: RowMerge<Naming>.Tagged, _ rhs: RowMerge<Naming>.Tagged
  ) -> Bool { (lhs.tag, lhs.row.arrival) < (rhs.tag, rhs.row.arrival) }

  /// Updates the join to newer versions of both tables.
  ///
  /// The update costs O(*k* log *n*), where *k* is the number of changed rows of both tables plus the number of rows that refer
  /// to a changed row. If more rows than 100 plus a tenth of `newRows.count` have changed or refer to a changed row, all rows are
  /// joined again.
  mutating func update(to newRows: LiveTable<Row>, _ newOthers: LiveTable<Other>) {
    let changes = newRows.changes(since: rows)
    let otherChanges = newOthers.changes(since: others)
    let isFollowed = follow(changes)
    (rows, others) = (newRows, newOthers)
    let named = otherChanges.compactMap { ($0.new ?? $0.old)?.diffIdentifier.hashValue }
      .map { namings.range(ofTag: $0) }
    let count = named.reduce(changes.count) { $0 + $1.count }
    guard isFollowed, count * 10 <= rows.count + 1_000 else {
      self = Self(rows, with: others, on: key)
      return
    }
    var fresh: [Row.DiffIdentifier: TableRow<Row>] = [:]
    for row in changes.lazy.compactMap({ $0.new }) { fresh[row.diffIdentifier] = row }
    for range in named {
      for rank in range {
        let id = namings[rank].id
        fresh[id] = rows.entry(of: id)
      }
    }
    table.remove(
      ids: changes.lazy.filter { $0.new == nil }.compactMap { $0.old?.diffIdentifier })
    let joined = fresh.values.map { row in
      let match = key(row.row).flatMap { others[$0] }
      return TableRow(LiveTable<Row>.Joined(row: row.row, match: match), arrival: row.arrival)
    }
    table.edit(.put, joined)
  }

  /// Updates `namings` for the changed rows; returns `false` if `key` is not pure and now returns a different result for an old
  /// row.
  private mutating func follow(_ changes: [LiveTable<Row>.RowChange]) -> Bool {
    var (removals, insertions): ([RowMerge<Naming>.Tagged], [RowMerge<Naming>.Tagged]) = ([], [])
    for (old, new) in changes {
      let (before, after) = (old.flatMap { key($0.row) }, new.flatMap { key($0.row) })
      if before == after, old?.arrival == new?.arrival { continue }
      if let old, let before {
        removals.append(((old.diffIdentifier, old.arrival), before.hashValue))
      }
      if let new, let after {
        insertions.append(((new.diffIdentifier, new.arrival), after.hashValue))
      }
    }
    var merge = RowMerge(removing: Self.sorted(removals), inserting: Self.sorted(insertions))
    return namings.perform(&merge, by: Self.isBefore)
      && merge.removals.rows.elementsEqual(merge.removed.rows) { $0.arrival == $1.arrival }
  }
}
