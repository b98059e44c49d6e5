/// A table that finds rows by identifier, and is copied in O(1).
///
/// <!-- sample: let ticks = AsyncStream<Quote> { $0.finish() } -->
/// ```swift
/// actor Market: StateActor {
///   let knot = Knot(LiveTable<Quote>())
/// }
/// let market = Market()
/// ticks.pipe(to: market, in: bag) { tick, table in table.upsert(tick) }
/// ```
/// A ``LiveList`` shows a ``LiveQuery`` of a table. An update of the list costs time only for the changed rows, because two
/// versions of a table share all other rows.
///
/// A loop over the table visits the rows in the order of their arrival. An updated row keeps its position; a row that is removed
/// and inserted again moves to the end. Identifiers need not be `Comparable`. The program traps if an identifier is not equal to
/// itself, such as NaN.
public struct LiveTable<Row: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the rows' identifiers.
  public typealias ID = Row.DiffIdentifier

  /// The rows, sorted by tag; the tag of a row is the hash of its identifier.
  var tree = RowTree<TableRow<Row>>(isCutBetweenTags: true)
  /// The arrival number of the next row.
  @usableFromInline var arrivals = 0

  /// Creates an empty table.
  public init() {}

  /// Creates a table of rows; their order in the sequence is the order of their arrival.
  ///
  /// If several rows have the same identifier, the table keeps the last of them, at the position of the first. The
  /// cost is O(*n* log *n*).
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    self.init()
    upsert(rows)
  }

  /// The number of rows.
  public var count: Int { tree.count }

  /// Whether the table has no rows.
  public var isEmpty: Bool { count == 0 }

  /// The row with an identifier, found in O(log *n*).
  public subscript(id: ID) -> Row? { entry(of: id)?.row }

  func entry(of id: ID) -> TableRow<Row>? {
    requireIdentity(id)
    return tree.range(ofTag: id.hashValue).lazy.map { tree[$0] }.first { $0.diffIdentifier == id }
  }

  /// The rows in the order of their arrival, sorted in O(*n* log *n*).
  public var rows: [Row] { tree.array.sorted { $0.arrival < $1.arrival }.map { $0.row } }
}

/// A row with its arrival number.
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
  /// Adds a row, or replaces the row with the same identifier, in O(log *n*).
  ///
  /// If the table already has an equal row, nothing changes, so `==` must compare everything that a query reads.
  ///
  /// - Parameter row: The new row, or the new version of an existing row.
  @inlinable
  public mutating func upsert(_ row: Row) { upsert(CollectionOfOne(row)) }

  /// Adds rows, or replaces those with the same identifiers, in O(*k* log *n*) for *k* rows.
  ///
  /// - Parameter rows: The rows. If several have the same identifier, the last one wins.
  @inlinable
  public mutating func upsert(_ rows: some Sequence<Row>) {
    let coming = rows.enumerated().map { TableRow($1, arrival: arrivals + $0) }
    arrivals += coming.count
    edit(.upsert, coming)
  }

  /// A table of the transformed rows, in the same order of arrival.
  func mapRows<New>(_ transform: (Row) -> New) -> LiveTable<New> where New.DiffIdentifier == ID {
    var table = LiveTable<New>()
    table.arrivals = arrivals
    table.tree = RowTree(
      tree.array.map { TableRow<New>(transform($0.row), arrival: $0.arrival) }, tags: tree.tags,
      isCutBetweenTags: true)
    return table
  }

  /// Changes the row with an identifier.
  ///
  /// <!-- sample:
  /// var table = LiveTable<Order>()
  /// let order = Order(id: 1)
  /// -->
  /// ```swift
  /// table.update(id: order.id) { $0.isPaid = true }
  /// ```
  /// Traps if `change` changes the identifier.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - change: Changes the row.
  /// - Returns: Whether the table has the row.
  /// - Throws: The error that `change` throws; the table is then unchanged.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func update<Failure: Error>(
    id: ID, _ change: (inout Row) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard var row = self[id] else { return false }
    try change(&row)
    require(
      row.diffIdentifier == id,
      "LiveTable.update(id:_:): needs a closure that keeps the identifier \(id); got \(row.diffIdentifier)"
    )
    upsert(row)
    return true
  }

  /// Removes and returns the row with an identifier, in O(log *n*); returns `nil` if there is none.
  @discardableResult
  public mutating func remove(id: ID) -> Row? {
    let row = self[id]
    remove(ids: CollectionOfOne(id))
    return row
  }

  /// Removes the rows with the given identifiers, in O(*k* log *n*) for *k* identifiers, and ignores unknown identifiers.
  public mutating func remove(ids: some Sequence<ID>) {
    edit(.remove, ids.compactMap(entry(of:)))
  }

  /// Makes the table contain exactly these rows, by removing, updating and adding rows.
  ///
  /// A row that is equal to its new version is not touched, and rows that stay keep their position in the order of arrival. The
  /// cost is O(*n* log *n*).
  ///
  /// - Parameter rows: The new rows.
  public mutating func replaceAll(_ rows: some Sequence<Row>) {
    let rows = Array(rows)
    let ids = Set(rows.lazy.map { $0.diffIdentifier })
    edit(.remove, tree.array.filter { !ids.contains($0.diffIdentifier) })
    upsert(rows)
  }
}

extension LiveTable: Sequence {
  /// Returns an iterator over the rows in the order of their arrival, in O(*n* log *n*).
  public func makeIterator() -> IndexingIterator<[Row]> { rows.makeIterator() }

  /// The number of rows.
  public var underestimatedCount: Int { count }
}

extension LiveTable: Equatable {
  /// Whether both tables have equal rows in the same order of arrival, in O(*n* log *n*).
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.tree.root === rhs.tree.root || lhs.rows == rhs.rows
  }
}

extension LiveTable: CustomStringConvertible, CustomReflectable {
  /// The rows in the order of their arrival.
  public var description: String { "\(rows)" }

  /// Shows the rows as a dictionary whose keys are the identifiers, so that a report of the differences between two tables names
  /// the rows that differ.
  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: rows.map { (key: $0.diffIdentifier, value: $0) },
      displayStyle: .dictionary)
  }
}

extension LiveTable: Encodable where Row: Encodable {
  /// Encodes an array of the rows in the order of their arrival.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rows)
  }
}

extension LiveTable: Decodable where Row: Decodable {
  /// Decodes an array of rows.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Row].self))
  }
}
