extension LiveTable {
  /// A row of a table, and the row of another one that it names.
  public struct Joined<Other: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
    /// The row.
    public let row: Row
    /// The row of the other table; nil if the row names none, or one that is not there.
    public let match: Other?

    /// The identifier of the row.
    public var diffIdentifier: ID { row.diffIdentifier }
  }

  /// Each row with the row of another table that it names, in the order of arrival: a left join.
  ///
  /// <!-- sample:
  /// let (orders, customers) = (LiveTable<Order>(), LiveTable<Customer>())
  /// typealias Joined = LiveTable<Order>.Joined<Customer>
  /// -->
  /// ```swift
  /// let query = LiveQuery(of: Joined.self).sorted { $0.match?.name ?? "" }
  /// print(query.snapshot(of: orders.joined(with: customers, on: \.customer)))
  /// ```
  /// This joins all rows; ``LiveList/init(_:of:joinedWith:on:)`` follows both tables at the cost of the
  /// rows that change.
  ///
  /// - Parameters:
  ///   - others: The other table.
  ///   - key: The identifier that a row names; nil for none.
  /// - Returns: The table of the joined rows.
  /// - Complexity: O(*n* log *m*) for *n* rows, and *m* of the other table.
  public func joined<Other>(
    with others: LiveTable<Other>, on key: (Row) -> Other.DiffIdentifier?
  ) -> LiveTable<Joined<Other>> {
    mapRows { row in Joined(row: row, match: key(row).flatMap { others[$0] }) }
  }
}

/// A table joined with another one, brought from version to version: pure logic.
struct TableJoin<Row: Diffable & Equatable & Sendable, Other: Diffable & Equatable & Sendable>:
  Sendable
{
  typealias Key = @Sendable (Row) -> Other.DiffIdentifier?
  /// A row that names another one.
  private typealias Naming = (id: Row.DiffIdentifier, arrival: Int)

  private let key: Key
  private var rows: LiveTable<Row>
  private var others: LiveTable<Other>
  /// By the hash of the identifier that they name, which is their tag, then by arrival.
  private var namings: RowTree<Naming>
  /// The joined rows.
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

  /// Goes over to newer versions of both tables.
  ///
  /// - Complexity: O(*k* log *n*) for the rows that change and those that name a changed row; above a
  ///   tenth of the rows all are joined anew.
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

  /// Notes what the changed rows name; false if a row names another one than before: the key is not pure.
  private mutating func follow(_ changes: [LiveTable<Row>.Change]) -> Bool {
    var (gone, come): ([RowMerge<Naming>.Tagged], [RowMerge<Naming>.Tagged]) = ([], [])
    for (old, new) in changes {
      let (before, after) = (old.flatMap { key($0.row) }, new.flatMap { key($0.row) })
      if before == after, old?.arrival == new?.arrival { continue }
      if let old, let before {
        gone.append(((old.diffIdentifier, old.arrival), before.hashValue))
      }
      if let new, let after { come.append(((new.diffIdentifier, new.arrival), after.hashValue)) }
    }
    var merge = RowMerge(removing: Self.sorted(gone), inserting: Self.sorted(come))
    return namings.perform(&merge, by: Self.isBefore)
      && merge.gone.rows.elementsEqual(merge.removed.rows) { $0.arrival == $1.arrival }
  }
}
