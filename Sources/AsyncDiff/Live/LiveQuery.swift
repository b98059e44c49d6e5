/// What to show of a table: which rows, in which order, in which sections.
///
/// <!-- sample: let table = LiveTable<Quote>() -->
/// ```swift
/// let query = LiveQuery(of: Quote.self)
///   .filter { $0.isOpen }
///   .sorted(by: \.price, .descending)
///   .sections(by: \.exchange) { name, rows in "\(name): \(rows.count)" }
///   .window(0..<200)
/// print(query.snapshot(of: table))
/// ```
/// Rows that are equal by all keys are in the order of their arrival in the table; so are those of a
/// query that does not sort. A key that does not equal itself, as NaN, comes behind all others, in
/// either direction.
///
/// While the query is shown, its closures must give one answer for one row. They run where the list is made,
/// on no actor.
public struct LiveQuery<
  Source: Diffable & Equatable & Sendable, Section: SectionInflator
>: Sendable {
  /// The rows shown.
  public typealias Item = Section.Item
  typealias Key = Section.DiffIdentifier

  package typealias Token = QueryToken

  /// Two queries with one such token differ in their windows only.
  package var identity = Token()
  /// Two queries with one such token put a row that both show into the same section and order.
  var plan = Token()
  /// Two queries with one such token make the same row of one of the table.
  var source: Token
  /// The row shown for a row of the table; nil if there is none.
  let item: @Sendable (Source) -> Item?
  /// What a row shown must fulfil.
  var conditions: [(token: Token, isFulfilled: @Sendable (Item) -> Bool)] = []
  /// How rows are ordered; nil for the order of their arrival.
  var order: RowOrder<Item>?
  /// Whether the rows that are equal by all keys are in the order of arrival, 1, or the newest first, -1.
  var arrivalSign = 1
  /// The section of a row.
  let key: @Sendable (Item) -> Key
  /// Whether a section comes before another one.
  let isBefore: @Sendable (Key, Key) -> Bool
  /// The section that is there without rows, too.
  let only: Key?
  let content: SectionContent<Section>
  /// What is measured of a section that has no rows yet.
  let measure: (any SectionMeasure<Item>)?
  /// The ranks that are shown of each section; nil for all.
  var range: Range<Int>?
  /// What takes long for many rows, compiled for their types.
  let loops: QueryLoops<Source, Item, Key>

  @usableFromInline
  init(
    item: @escaping @Sendable (Source) -> Item?, source: QueryToken,
    key: @escaping @Sendable (Item) -> Section.DiffIdentifier,
    isBefore: @escaping @Sendable (Section.DiffIdentifier, Section.DiffIdentifier) -> Bool,
    only: Section.DiffIdentifier? = nil, measure: (any SectionMeasure<Item>)? = nil,
    content: @escaping SectionContent<Section>,
    loops: QueryLoops<Source, Item, Section.DiffIdentifier>
  ) {
    self.item = item
    self.source = source
    self.key = key
    self.isBefore = isBefore
    self.only = only
    self.measure = measure
    self.content = content
    self.loops = loops
  }

  /// How a row of the table becomes one that is shown; rows with some tags are left out.
  func steps(without tags: NumberSet? = nil) -> QueryLoops<Source, Item, Key>.Steps {
    (item, condition() ?? { _ in true }, key, tags, arrivalSign)
  }

  /// Whether a row fulfils the conditions, or those that another query does not have; nil if there are none.
  func condition(without other: Self? = nil) -> (@Sendable (Item) -> Bool)? {
    var all: (@Sendable (Item) -> Bool)?
    for (token, isFulfilled) in conditions
    where other?.conditions.contains(where: { $0.token === token }) != true {
      if let first = all { all = { first($0) && isFulfilled($0) } } else { all = isFulfilled }
    }
    return all
  }

  /// This query, none of whose closures is taken to answer as before.
  var renewed: Self {
    var query = self
    query.source = Token()
    return query
  }
}

/// Makes the content of a section, of its rows and what is measured of them.
@usableFromInline
typealias SectionContent<Section: SectionInflator> =
  @Sendable (
    Section.DiffIdentifier, ShownRows<Section.Item>, (any SectionMeasure<Section.Item>)?
  ) -> Section.Content

extension LiveQuery where Section == LiveSection<Int, Source, NoContent> {
  /// All rows of a table, in the order of their arrival, in one section.
  ///
  /// - Parameter rows: The type of the table's rows.
  @inlinable
  public init(of rows: Source.Type) { self.init(source: .sameRow) { $0 } }
}

extension LiveQuery {
  /// What is made of each row of a table, in the order of arrival, in one section.
  ///
  /// <!-- sample:
  /// struct Line: Diffable, Equatable {
  ///   let id: String, text: String
  ///   var diffIdentifier: String { id }
  /// }
  /// -->
  /// ```swift
  /// let lines = LiveQuery(of: Quote.self) { quote in
  ///   quote.isOpen ? Line(id: quote.id, text: "\(quote.price)") : nil
  /// }
  /// ```
  /// Ends the program if a row is made of one with another identifier.
  ///
  /// - Parameters:
  ///   - rows: The type of the table's rows.
  ///   - transform: Makes the row to show, with the same identifier; nil for none.
  @inlinable
  public init<Row: Diffable & Equatable & Sendable>(
    of rows: Source.Type, _ transform: @escaping @Sendable (Source) -> Row?
  ) where Section == LiveSection<Int, Row, NoContent>, Row.DiffIdentifier == Source.DiffIdentifier {
    self.init(source: QueryToken()) { row in
      guard let item = transform(row) else { return nil }
      require(
        item.diffIdentifier == row.diffIdentifier,
        "LiveQuery(of:_:): a row is made with the identifier of its source, "
          + "\(row.diffIdentifier); got \(item.diffIdentifier)")
      return item
    }
  }

  @inlinable
  init<Row: Diffable & Equatable & Sendable>(
    source: QueryToken, _ item: @escaping @Sendable (Source) -> Row?
  ) where Section == LiveSection<Int, Row, NoContent> {
    self.init(
      item: item, source: source, key: { _ in 0 }, isBefore: { $0 < $1 }, only: 0,
      content: { _, _, _ in NoContent() }, loops: QueryLoops())
  }

  /// Also filters the rows by a condition.
  ///
  /// A list changes between conditions in one pass, and does not sort again the rows that both show.
  ///
  /// - Parameter condition: What a row must fulfil.
  /// - Returns: The query.
  public func filter(_ condition: @escaping @Sendable (Item) -> Bool) -> Self {
    var query = self
    query.identity = Token()
    query.conditions.append((query.identity, condition))
    return query
  }

  /// Sorts the rows by a key; after an earlier `sorted(by:)`, only those whose earlier keys are equal.
  ///
  /// `.sorted(by: \.country).sorted(by: \.city)` sorts by country, and by city within a country.
  ///
  /// - Parameters:
  ///   - key: The key of a row.
  ///   - direction: Whether the smallest or the greatest comes first.
  /// - Returns: The query.
  @inlinable
  public func sorted<SortKey: Comparable & SendableMetatype>(
    by key: @escaping @Sendable (Item) -> SortKey, _ direction: SortDirection = .ascending
  ) -> Self {
    ordered(by: RowOrder(by: key, direction))
  }

  @usableFromInline
  func ordered(by last: RowOrder<Item>) -> Self {
    var query = self
    (query.plan, query.identity) = (Token(), Token())
    query.order = order?.then(last) ?? last
    return query
  }

  /// The rows that are equal by all keys, newest first: all rows, if the query does not sort.
  ///
  /// <!-- sample: let query = LiveQuery(of: Quote.self) -->
  /// ```swift
  /// let log = query.newestFirst().window(0..<50)
  /// ```
  /// - Returns: The query.
  public func newestFirst() -> Self {
    var query = self
    (query.plan, query.identity) = (Token(), Token())
    query.arrivalSign = -1
    return query
  }

  /// Only the rows with some ranks, counted in each section from 0.
  ///
  /// Traps if a rank is negative.
  ///
  /// - Parameter ranks: The ranks; a section may have fewer rows.
  /// - Returns: The query.
  /// - Complexity: Each change of a section costs its rows that are shown.
  public func window(_ ranks: Range<Int>) -> Self {
    require(ranks.lowerBound >= 0, "window(_:): ranks are 0 or more; got \(ranks)")
    var query = self
    query.range = ranks
    return query
  }

  /// The rows in sections by a key, ascending; sections without rows are not there.
  ///
  /// A key that does not equal itself, as NaN, ends the program.
  ///
  /// - Parameter key: The key of a row, which is the identifier of its section.
  /// - Returns: The query.
  @inlinable
  public func sections<NewKey: Hashable & Comparable & Sendable>(
    by key: @escaping @Sendable (Item) -> NewKey
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NoContent>> {
    sections(by: key) { _, _ in NoContent() }
  }

  /// The rows in sections by a key, ascending, with a content: a header, for instance.
  ///
  /// - Parameters:
  ///   - key: The key of a row, which is the identifier of its section.
  ///   - content: Makes the content, of the key and all rows of the section, in their order.
  /// - Returns: The query.
  @inlinable
  public func sections<NewKey: Hashable & Comparable & Sendable, NewContent: Equatable & Sendable>(
    by key: @escaping @Sendable (Item) -> NewKey,
    content: @escaping @Sendable (NewKey, ShownRows<Item>) -> NewContent
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NewContent>> {
    sections(by: key, measure: nil) { key, rows, _ in content(key, rows) }
  }

  /// The rows in sections by a key, ascending, with a content that tells a sum or an extreme.
  ///
  /// <!-- sample: let query = LiveQuery(of: Quote.self) -->
  /// ```swift
  /// let byExchange = query.sections(by: \.exchange, measuring: \.volume) { name, rows, volume in
  ///   "\(name): \(rows.count) quotes, \(volume.sum) pieces, at most \(volume.maximum ?? 0)"
  /// }
  /// ```
  /// - Parameters:
  ///   - key: The key of a row, which is the identifier of its section.
  ///   - value: The value of a row.
  ///   - content: Makes the content, of the key, all rows of the section, and the summary of their
  ///     values, which costs O(log *n*) for each row changed.
  /// - Returns: The query.
  @inlinable
  public func sections<
    NewKey: Hashable & Comparable & Sendable, NewContent: Equatable & Sendable,
    Value: Comparable & AdditiveArithmetic & Sendable
  >(
    by key: @escaping @Sendable (Item) -> NewKey,
    measuring value: @escaping @Sendable (Item) -> Value,
    content: @escaping @Sendable (NewKey, ShownRows<Item>, LiveSummary<Value>) -> NewContent
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NewContent>> {
    sections(by: key, measure: Measure(value)) { key, rows, measure in
      content(key, rows, Measure<Item, Value>.summary(of: measure))
    }
  }

  @inlinable
  func sections<NewKey: Hashable & Comparable & Sendable, NewContent: Equatable & Sendable>(
    by key: @escaping @Sendable (Item) -> NewKey, measure: (any SectionMeasure<Item>)?,
    content: @escaping SectionContent<LiveSection<NewKey, Item, NewContent>>
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NewContent>> {
    sections(by: key, isBefore: { $0 < $1 }, measure: measure, content: content, QueryLoops())
  }

  @usableFromInline
  func sections<New: SectionInflator>(
    by key: @escaping @Sendable (Item) -> New.DiffIdentifier,
    isBefore: @escaping @Sendable (New.DiffIdentifier, New.DiffIdentifier) -> Bool,
    measure: (any SectionMeasure<Item>)?, content: @escaping SectionContent<New>,
    _ loops: QueryLoops<Source, Item, New.DiffIdentifier>
  ) -> LiveQuery<Source, New> where New.Item == Item {
    var query = LiveQuery<Source, New>(
      item: item, source: source, key: key, isBefore: isBefore, measure: measure, content: content,
      loops: loops)
    (query.conditions, query.order, query.range) = (conditions, order, range)
    query.arrivalSign = arrivalSign
    return query
  }

  /// What the query shows of a table.
  ///
  /// - Parameter table: The table.
  /// - Returns: The snapshot.
  /// - Complexity: O(*n* log *n*).
  public func snapshot(of table: LiveTable<Source>) -> DiffableSnapshot<Section> {
    Derivation(self, of: table).snapshot
  }
}

/// A section of a ``LiveQuery``.
public struct LiveSection<
  Key: Hashable & Sendable, Item: Diffable & Equatable & Sendable, Content: Equatable & Sendable
>: SectionInflator {
  /// The key that the rows have in common; 0 for the only section of a query without sections.
  public let diffIdentifier: Key
  /// What the query says of the section.
  public let content: Content
  /// The rows.
  public let items: [Item]
}

/// The direction in which rows are sorted.
public enum SortDirection: Hashable, Sendable {
  /// The smallest key first.
  case ascending
  /// The greatest key first.
  case descending
}
