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
    let all = rows.tree.array.compactMap { row in
      key(row.row).map { (hash: $0.hashValue, naming: (row.diffIdentifier, row.arrival)) }
    }.sorted { ($0.hash, $0.naming.1) < ($1.hash, $1.naming.1) }
    namings = RowTree(all.map { $0.naming }, tags: all.map { $0.hash })
  }

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
    table.put(joined, keepingArrivals: false)
  }

  /// Notes what the changed rows name; false if a row names another one than before: the key is not pure.
  private mutating func follow(_ changes: [LiveTable<Row>.Change]) -> Bool {
    var removed: [Int] = []
    var coming: [(rank: Int, hash: Int, naming: Naming)] = []
    for (old, new) in changes {
      let (before, after) = (old.flatMap { key($0.row) }, new.flatMap { key($0.row) })
      if before == after, old?.arrival == new?.arrival { continue }
      if let old, let before {
        let (hash, arrival) = (before.hashValue, old.arrival)
        let rank = rank(of: arrival, naming: hash)
        guard rank < namings.count, case let (naming, tag) = namings.at(rank),
          (tag, naming.arrival) == (hash, arrival)
        else { return false }
        removed.append(rank)
      }
      if let new, let hash = after?.hashValue {
        coming.append(
          (rank(of: new.arrival, naming: hash), hash, (new.diffIdentifier, new.arrival)))
      }
    }
    coming.sort { ($0.hash, $0.naming.arrival) < ($1.hash, $1.naming.arrival) }
    namings.perform(
      RowTree.Edit(
        ranks: RowNode.Ranks(removed: removed.sorted(), inserted: coming.map { $0.rank }),
        rows: coming.map { $0.naming }, tags: coming.map { $0.hash }))
    return true
  }

  private func rank(of arrival: Int, naming hash: Int) -> Int {
    namings.prefixCount { ($1, $0.arrival) < (hash, arrival) }
  }
}
