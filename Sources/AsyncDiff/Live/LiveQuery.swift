/// Selects, sorts and groups the rows of a table.
///
/// <!-- sample: let table = LiveTable<Quote>() -->
/// ```swift
/// let query = LiveQuery(of: Quote.self)
///   .filter { $0.isOpen }
///   .sorted(by: \.price, descending: true)
///   .sections(by: \.exchange) { name, rows in "\(name): \(rows.count)" }
///   .window(0..<200)
/// print(query.snapshot(of: table))
/// ```
/// Rows with equal keys, and all rows of an unsorted query, are in the order of their arrival in the table, unless you call
/// `newestFirst()`. A key that is not equal to itself, such as NaN, sorts last in both directions.
///
/// While the query is shown, each closure must return the same result for the same row. The closures are not isolated to an
/// actor; they run in the call that creates a snapshot or a list, and later on the list.
public struct LiveQuery<
  Source: Diffable & Equatable & Sendable, Section: SectionInflator
>: Sendable {
  /// The type of the rows that the query shows.
  public typealias Item = Section.Item
  typealias Key = Section.DiffIdentifier

  package typealias Token = QueryToken

  /// The token that queries share if they differ only in the part of each section that they show.
  package var identity = Token()
  /// Shared only by queries that put each shown row in the same section and sort the rows in the same order.
  var plan = Token()
  /// The shown rows and their order.
  ///
  /// Each operator returns a query that differs in at most one property of this value.
  @usableFromInline var choice: RowChoice<Source, Item>
  let key: @Sendable (Item) -> Key
  let isBefore: @Sendable (Key, Key) -> Bool
  /// The key of the section that exists even without rows.
  let only: Key?
  let content: SectionContent<Section>
  /// The measure of an empty section.
  let measure: (any SectionMeasure<Item>)?
  let loops: QueryLoops<Source, Item, Key>

  @usableFromInline
  init(
    _ choice: RowChoice<Source, Item>, key: @escaping @Sendable (Item) -> Section.DiffIdentifier,
    isBefore: @escaping @Sendable (Section.DiffIdentifier, Section.DiffIdentifier) -> Bool,
    only: Section.DiffIdentifier? = nil, measure: (any SectionMeasure<Item>)? = nil,
    content: @escaping SectionContent<Section>,
    loops: QueryLoops<Source, Item, Section.DiffIdentifier>
  ) {
    self.choice = choice
    self.key = key
    self.isBefore = isBefore
    self.only = only
    self.measure = measure
    self.content = content
    self.loops = loops
  }

  /// The steps from a row of the table to a shown row; rows with one of `tags` are skipped.
  func steps(without tags: NumberSet? = nil) -> QueryLoops<Source, Item, Key>.Steps {
    (choice.item, choice.condition() ?? { _ in true }, key, tags, choice.arrivalSign)
  }

  /// Whether both queries have the same identity and show the same part of each section.
  func isSame(as other: Self) -> Bool {
    identity === other.identity && choice.part == other.choice.part
  }
}

/// The rows of a table that a query shows, and their order; `sections(by:)` does not change this value.
@usableFromInline
struct RowChoice<Source: Diffable & Equatable & Sendable, Item: Diffable & Equatable & Sendable>:
  Sendable
{
  /// Shared by queries that map the rows of the table in the same way.
  let source: QueryToken
  /// Maps a row of the table to a shown row, or to `nil` to leave it out.
  let item: @Sendable (Source) -> Item?
  /// The conditions of the query; a row is shown if it satisfies all of them.
  var conditions: [(token: QueryToken, isFulfilled: @Sendable (Item) -> Bool)] = []
  /// `nil` for the order of arrival.
  var order: RowOrder<Item>?
  /// 1 if rows with equal keys are in the order of arrival; -1 if the newest is first.
  var arrivalSign = 1
  var part = SectionPart()

  @usableFromInline
  init(isSameRow: Bool, item: @escaping @Sendable (Source) -> Item?) {
    source = isSameRow ? .sameRow : QueryToken()
    self.item = item
  }

  /// Combines all conditions except those that `other` also has; `nil` if none is left.
  func condition(without other: Self? = nil) -> (@Sendable (Item) -> Bool)? {
    var all: (@Sendable (Item) -> Bool)?
    for (token, isFulfilled) in conditions
    where other?.conditions.contains(where: { $0.token === token }) != true {
      if let first = all { all = { first($0) && isFulfilled($0) } } else { all = isFulfilled }
    }
    return all
  }
}

/// Creates a section's content from its key, its rows and their measure.
@usableFromInline
typealias SectionContent<Section: SectionInflator> =
  @Sendable (
    Section.DiffIdentifier, ShownRows<Section.Item>, (any SectionMeasure<Section.Item>)?
  ) -> Section.Content

extension LiveQuery where Section == LiveSection<Int, Source, NoContent> {
  /// Shows all rows of a table in the order of their arrival, in one section.
  @inlinable
  public init(of rows: Source.Type) { self.init(isSameRow: true) { $0 } }
}

extension LiveQuery {
  /// Maps each row of a table; the results are in the order of arrival, in one section.
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
  /// Traps if `transform` returns a row with a different identifier.
  ///
  /// - Parameters:
  ///   - rows: The type of the table's rows.
  ///   - transform: Returns the row to show, with the same identifier, or `nil` to show none.
  @inlinable
  public init<Row: Diffable & Equatable & Sendable>(
    of rows: Source.Type, _ transform: @escaping @Sendable (Source) -> Row?
  ) where Section == LiveSection<Int, Row, NoContent>, Row.DiffIdentifier == Source.DiffIdentifier {
    self.init(isSameRow: false) { row in
      guard let item = transform(row) else { return nil }
      require(
        item.diffIdentifier == row.diffIdentifier,
        "LiveQuery(of:_:): needs a closure that keeps the identifier \(row.diffIdentifier); "
          + "got \(item.diffIdentifier)")
      return item
    }
  }

  @inlinable
  init<Row: Diffable & Equatable & Sendable>(
    isSameRow: Bool, _ item: @escaping @Sendable (Source) -> Row?
  ) where Section == LiveSection<Int, Row, NoContent> {
    self.init(
      RowChoice(isSameRow: isSameRow, item: item), key: { _ in 0 }, isBefore: { $0 < $1 }, only: 0,
      content: { _, _, _ in NoContent() }, loops: QueryLoops())
  }

  /// Also filters the rows by a condition.
  ///
  /// A list that switches from the original query to the new one makes one pass over the rows. The rows that both queries show
  /// are not sorted again.
  ///
  /// - Parameter condition: Returns whether to show a row.
  /// - Returns: The new query.
  public func filter(_ condition: @escaping @Sendable (Item) -> Bool) -> Self {
    var query = self
    query.identity = Token()
    query.choice.conditions.append((query.identity, condition))
    return query
  }

  /// Sorts the rows by a key; each further call breaks the ties that the earlier calls leave.
  ///
  /// `.sorted(by: \.country).sorted(by: \.city)` sorts by country, and by city within a country.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a row.
  ///   - isDescending: Whether the greatest key is first.
  /// - Returns: The new query.
  @inlinable
  public func sorted<SortKey: Comparable & SendableMetatype>(
    by key: @escaping @Sendable (Item) -> SortKey, descending isDescending: Bool = false
  ) -> Self {
    ordered(by: RowOrder(by: key, descending: isDescending))
  }

  @usableFromInline
  func ordered(by last: RowOrder<Item>) -> Self {
    var query = self
    (query.plan, query.identity) = (Token(), Token())
    query.choice.order = choice.order?.then(last) ?? last
    return query
  }

  /// Puts the newest row first among rows with equal sort keys; without `sorted(by:)`, among all rows.
  ///
  /// <!-- sample: let query = LiveQuery(of: Quote.self) -->
  /// ```swift
  /// let log = query.newestFirst().window(0..<50)
  /// ```
  /// - Returns: The new query.
  public func newestFirst() -> Self {
    var query = self
    (query.plan, query.identity) = (Token(), Token())
    query.choice.arrivalSign = -1
    return query
  }

  /// Shows only the rows whose ranks in their section are in a range; the first row of a section has rank 0.
  ///
  /// Traps if a rank is negative.
  ///
  /// - Parameter ranks: The range of ranks. A section that ends within the range shows fewer rows.
  /// - Returns: The new query.
  /// - Complexity: Each change of a section costs time proportional to the number of rows that the section shows.
  public func window(_ ranks: Range<Int>) -> Self {
    require(ranks.lowerBound >= 0, "LiveQuery.window(_:): needs ranks of at least 0; got \(ranks)")
    var query = self
    query.choice.part.ranks = ranks
    return query
  }

  /// Groups the rows into sections by a key, in ascending order; there are no empty sections.
  ///
  /// Traps if a key is not equal to itself, such as NaN, or if two keys differ and neither is less than the other.
  ///
  /// - Parameter key: Returns the key of a row, which identifies its section.
  /// - Returns: The new query.
  @inlinable
  public func sections<NewKey: Hashable & Comparable & Sendable>(
    by key: @escaping @Sendable (Item) -> NewKey
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NoContent>> {
    sections(by: key) { _, _ in NoContent() }
  }

  /// Groups the rows into sections by a key, in ascending order, with content such as a header.
  ///
  /// - Parameters:
  ///   - key: Returns the key of a row, which identifies its section.
  ///   - content: Creates a section's content from its key and all its rows, in order.
  /// - Returns: The new query.
  @inlinable
  public func sections<NewKey: Hashable & Comparable & Sendable, NewContent: Equatable & Sendable>(
    by key: @escaping @Sendable (Item) -> NewKey,
    content: @escaping @Sendable (NewKey, ShownRows<Item>) -> NewContent
  ) -> LiveQuery<Source, LiveSection<NewKey, Item, NewContent>> {
    sections(by: key, measure: nil) { key, rows, _ in content(key, rows) }
  }

  /// Groups the rows into sections by a key, in ascending order, with content made from the count, sum, minimum and maximum of
  /// the rows' values.
  ///
  /// <!-- sample: let query = LiveQuery(of: Quote.self) -->
  /// ```swift
  /// let byExchange = query.sections(by: \.exchange, measuring: \.volume) { name, rows, volume in
  ///   "\(name): \(rows.count) quotes, \(volume.sum) shares, at most \(volume.maximum ?? 0)"
  /// }
  /// ```
  /// - Parameters:
  ///   - key: Returns the key of a row, which identifies its section.
  ///   - value: Returns the measured value of a row.
  ///   - content: Creates a section's content from its key, all its rows, and the summary of their values. The summary costs
  ///     O(log *n*) for each changed row.
  /// - Returns: The new query.
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
    LiveQuery<Source, LiveSection<NewKey, Item, NewContent>>(
      choice, key: key, isBefore: { $0 < $1 }, measure: measure, content: content,
      loops: QueryLoops())
  }

  /// Returns the snapshot of a table, in O(*n* log *n*).
  public func snapshot(of table: LiveTable<Source>) -> DiffableSnapshot<Section> {
    DerivedSnapshot(self, of: table).snapshot
  }
}

/// A section of a snapshot that a ``LiveQuery`` produces.
public struct LiveSection<
  Key: Hashable & Sendable, Item: Diffable & Equatable & Sendable, Content: Equatable & Sendable
>: SectionInflator {
  /// The key that all rows of the section share; 0 in a query without sections.
  public let diffIdentifier: Key
  /// The section's content, made by the query.
  public let content: Content
  /// The shown rows.
  public let items: [Item]
}
