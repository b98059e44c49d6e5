/// Rows by their identifiers: a value, of which a copy costs nothing.
///
/// <!-- sample: let ticks = AsyncStream<Quote> { $0.finish() } -->
/// ```swift
/// actor Market: StateActor {
///   let knot = Knot(LiveTable<Quote>())
/// }
/// let market = Market()
/// ticks.pipe(to: market, in: bag) { tick, table in table.upsert(tick) }
/// ```
/// A ``LiveList`` shows what a ``LiveQuery`` makes of a table, and is brought up to date at the cost
/// of the rows that changed: two versions of a table share what they have in common.
///
/// A loop over the table has the rows in the order of their arrival: a row that is updated keeps its place, one that is removed
/// and comes back is the last. Identifiers need only be `Hashable`; one that does not equal itself, as
/// NaN, ends the program.
public struct LiveTable<Row: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the rows' identifiers.
  public typealias ID = Row.DiffIdentifier

  /// The rows, ascending by the hash of their identifiers, which is their tag.
  var tree = RowTree<TableRow<Row>>(isCutBetweenTags: true)
  /// The number of arrival of the next row.
  @usableFromInline var arrivals = 0

  /// Creates an empty table.
  public init() {}

  /// Creates a table of rows; of several with one identifier the last is kept, in the place of the
  /// first.
  ///
  /// - Parameter rows: The rows, in the order of arrival.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    self.init()
    upsert(rows)
  }

  /// The number of rows.
  public var count: Int { tree.count }

  /// Whether there are no rows.
  public var isEmpty: Bool { count == 0 }

  /// The row with an identifier.
  ///
  /// - Complexity: O(log *n*).
  public subscript(id: ID) -> Row? { entry(of: id)?.row }

  func entry(of id: ID) -> TableRow<Row>? {
    requireIdentity(id)
    return tree.range(ofTag: id.hashValue).lazy.map { tree[$0] }.first { $0.diffIdentifier == id }
  }

  /// The rows in the order of their arrival.
  ///
  /// - Complexity: O(*n* log *n*).
  public var rows: [Row] { tree.array.sorted { $0.arrival < $1.arrival }.map { $0.row } }
}

/// A row of a table, with the number of its arrival.
@usableFromInline
struct TableRow<Row: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
  @usableFromInline var row: Row
  @usableFromInline var arrival: Int

  @inlinable
  init(_ row: Row, arrival: Int) {
    self.row = row
    self.arrival = arrival
  }

  @inlinable var diffIdentifier: Row.DiffIdentifier { row.diffIdentifier }
}

extension LiveTable {
  /// Adds a row, or replaces the one with its identifier; an equal one changes nothing.
  ///
  /// So `==` of the rows must compare everything that a query reads.
  ///
  /// - Parameter row: The row.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func upsert(_ row: Row) { upsert(CollectionOfOne(row)) }

  /// Adds rows, or replaces those with their identifiers.
  ///
  /// - Parameter rows: The rows; of several with one identifier the last counts.
  /// - Complexity: O(*k* log *n*) for *k* rows.
  @inlinable
  public mutating func upsert(_ rows: some Sequence<Row>) {
    let coming = rows.enumerated().map { TableRow($1, arrival: arrivals + $0) }
    arrivals += coming.count
    edit(.upsert, coming)
  }

  /// A table with another row for each of these, in the same order of arrival.
  func mapRows<New>(_ transform: (Row) -> New) -> LiveTable<New> where New.DiffIdentifier == ID {
    var table = LiveTable<New>()
    table.arrivals = arrivals
    table.tree = RowTree(
      tree.array.map { TableRow<New>(transform($0.row), arrival: $0.arrival) }, tags: tree.tags,
      isCutBetweenTags: true)
    return table
  }

  /// Changes the row with an identifier in place.
  ///
  /// <!-- sample:
  /// var table = LiveTable<Order>()
  /// let order = Order(id: 1)
  /// -->
  /// ```swift
  /// table.update(id: order.id) { $0.isPaid = true }
  /// ```
  /// Traps if the row has another identifier afterwards.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - change: Changes the row.
  /// - Returns: Whether the table has such a row.
  /// - Throws: What `change` throws; the table is unchanged then.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func update<Failure: Error>(
    id: ID, _ change: (inout Row) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard var row = self[id] else { return false }
    try change(&row)
    require(
      row.diffIdentifier == id,
      "update(id:_:): a row keeps its identifier; it was \(id) and is \(row.diffIdentifier)")
    upsert(row)
    return true
  }

  /// Removes the row with an identifier.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The row; nil if there was none.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(id: ID) -> Row? {
    let row = self[id]
    remove(ids: CollectionOfOne(id))
    return row
  }

  /// Removes the rows with some identifiers; those that are not there are ignored.
  ///
  /// - Parameter ids: The identifiers.
  /// - Complexity: O(*k* log *n*) for *k* identifiers.
  public mutating func remove(ids: some Sequence<ID>) {
    edit(.remove, ids.compactMap(entry(of:)))
  }

  /// Makes these rows the table's, as by removals and updates: what is equal is not touched, and rows
  /// that stay keep their place in the order of arrival.
  ///
  /// - Parameter rows: All rows that the table has then.
  /// - Complexity: O(*n* log *n*).
  public mutating func replaceAll(_ rows: some Sequence<Row>) {
    let rows = Array(rows)
    let ids = Set(rows.lazy.map { $0.diffIdentifier })
    edit(.remove, tree.array.filter { !ids.contains($0.diffIdentifier) })
    upsert(rows)
  }
}

extension LiveTable: Sequence {
  /// Makes an iterator over the rows, in the order of their arrival.
  ///
  /// - Complexity: O(*n* log *n*).
  public func makeIterator() -> IndexingIterator<[Row]> { rows.makeIterator() }

  /// The number of rows.
  public var underestimatedCount: Int { count }
}

extension LiveTable: Equatable {
  /// Whether both have equal rows in the same order of arrival.
  ///
  /// - Complexity: O(*n* log *n*).
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.tree.root === rhs.tree.root || lhs.rows == rhs.rows
  }
}

extension LiveTable: Encodable where Row: Encodable {
  /// Encodes the rows as a list, in the order of their arrival.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rows)
  }
}

extension LiveTable: Decodable where Row: Decodable {
  /// Decodes a list of rows.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Row].self))
  }
}
