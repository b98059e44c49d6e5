public import AsyncKnot

/// A source of snapshots that keeps the result of a query over a table up to date.
///
/// <!-- sample:
/// actor QuoteScreen: CollectionSurface {
///   typealias Section = LiveSection<Int, Quote, NoContent>
///   func reloadData(_ snapshot: DiffableSnapshot<Section>) {}
///   func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) {}
/// }
/// let source = DiffableDataSource(surface: QuoteScreen())
/// let query = LiveQuery(of: Quote.self)
/// -->
/// ```swift
/// let list = LiveList(query, of: market)   // a holder of a `LiveTable`
/// list.states.pipe(to: source, in: bag)    // to a data source, like the states of any source
/// list.show(query.filter { $0.volume > 100 })
/// ```
/// When an observer waits for its next state, the list updates in one step from the table that it showed last to the newest
/// table. A slow observer therefore gets fewer and larger changes. A list without observers does no work, so its `state` does not
/// change. The list is an actor, and the updates run on the list rather than on the table's holder or the main actor. Only the
/// first snapshot is computed where the list is created, so create a list of many thousands of rows outside the main actor.
///
/// The list does not keep its source alive. After the source is released, the list continues to show the source's last table.
public actor LiveList<
  Source: Diffable & Equatable & Sendable, Section: SectionInflator
>: StateSource {
  /// The knot with the current snapshot.
  public nonisolated let knot: Knot<DiffableSnapshot<Section>>

  private var derived: DerivedSnapshot<Source, Section>
  /// The values of `Queried.renewals` and `Queried.shows` for which `derived` was last computed.
  private var (renewals, shows) = (0, 0)
  private nonisolated let queries: Knot<Queried>

  /// The query that was shown last.
  private struct Queried: Sendable {
    var query: LiveQuery<Source, Section>
    /// The number of calls of `show(_:)` with the query that was already shown; after each such call, all rows are derived again.
    var renewals = 0
    /// The number of calls of `show(_:)`.
    var shows = 0
  }

  /// Creates a list of a table that is a source's whole state.
  ///
  /// This call computes the first snapshot, on the caller's thread, in O(*n* log *n*).
  public init(
    _ query: LiveQuery<Source, Section>, of source: some StateSource<LiveTable<Source>>
  ) {
    self.init(query, of: source) { $0 }
  }

  /// Creates a list of a table that is a part of a source's state.
  ///
  /// <!-- sample:
  /// let shop = Shop()
  /// let query = LiveQuery(of: Order.self)
  /// -->
  /// ```swift
  /// let open = LiveList(query, of: shop) { $0.orders }
  /// ```
  /// - Parameters:
  ///   - query: The query whose rows the list shows.
  ///   - source: The source whose state contains the table.
  ///   - table: Reads the table from the source's state.
  /// - Complexity: O(*n* log *n*), because this call computes the first snapshot.
  public init<Model: StateSource>(
    _ query: LiveQuery<Source, Section>, of source: Model,
    _ table: @escaping @Sendable (Model.State) -> LiveTable<Source>
  ) {
    let queries = Knot(Queried(query: query))
    self.init(
      query, of: table(source.state), queries, (), from: AsyncKnot.states(of: source, queries)
    ) { _, state, query in (table(state), query) }
  }

  /// Creates a list that joins two tables, each the state of a source, and follows both.
  ///
  /// <!-- sample:
  /// typealias Joined = LiveTable<Order>.Joined<Customer>
  /// -->
  /// ```swift
  /// let query = LiveQuery(of: Joined.self).sorted { $0.match?.name ?? "" }
  /// let list = LiveList(query, of: orders, joinedWith: customers, on: \.customer)
  /// ```
  /// - Parameters:
  ///   - query: A query of the joined rows.
  ///   - source: The source of the table. Each row of this table results in one joined row, with or without a match.
  ///   - others: The source of the other table.
  ///   - key: Returns the identifier of the row that a row refers to in the other table, or `nil` if it refers to none. The
  ///     program traps if an identifier is not equal to itself, such as NaN.
  /// - Complexity: O(*n* log *n*), because this call computes the first snapshot. A later change of a row of the other table
  ///   costs O(log *n*) for each row that refers to it.
  public init<Row, Other>(
    _ query: LiveQuery<Source, Section>, of source: some StateSource<LiveTable<Row>>,
    joinedWith others: some StateSource<LiveTable<Other>>,
    on key: @escaping @Sendable (Row) -> Other.DiffIdentifier?
  ) where Source == LiveTable<Row>.Joined<Other> {
    self.init(query, of: source, { $0 }, joinedWith: others, { $0 }, on: key)
  }

  /// Creates a list that joins two tables, each a part of a source's state.
  ///
  /// <!-- sample:
  /// let shop = Shop()
  /// typealias Listed = LiveTable<Order>.Joined<Customer>
  /// let query = LiveQuery(of: Listed.self).sorted { $0.match?.name ?? "" }
  /// -->
  /// ```swift
  /// let named = LiveList(
  ///   query, of: shop, { $0.orders }, joinedWith: shop, { $0.customers }, on: \.customer)
  /// ```
  /// If both tables belong to one source, each snapshot shows both as they were at one moment.
  ///
  /// - Parameters:
  ///   - query: A query of the joined rows.
  ///   - source: The source of the table.
  ///   - table: Reads the table from the source's state.
  ///   - others: The source of the other table, which may be `source`.
  ///   - otherTable: Reads the other table from its source's state.
  ///   - key: Returns the identifier of the row that a row refers to in the other table, or `nil` if it refers to none. The
  ///     program traps if an identifier is not equal to itself, such as NaN.
  /// - Complexity: The same as for ``init(_:of:joinedWith:on:)``.
  public init<Row, Other, Model: StateSource, OtherModel: StateSource>(
    _ query: LiveQuery<Source, Section>, of source: Model,
    _ table: @escaping @Sendable (Model.State) -> LiveTable<Row>, joinedWith others: OtherModel,
    _ otherTable: @escaping @Sendable (OtherModel.State) -> LiveTable<Other>,
    on key: @escaping @Sendable (Row) -> Other.DiffIdentifier?
  ) where Source == LiveTable<Row>.Joined<Other> {
    let queries = Knot(Queried(query: query))
    let states = AsyncKnot.states(of: source, others, queries)
    let (first, second, _) = states.currentAndRest().state
    let join = TableJoin(table(first), with: otherTable(second), on: key)
    self.init(query, of: join.table, queries, join, from: states) {
      (join: inout TableJoin<Row, Other>, first: Model.State, second: OtherModel.State, query) in
      join.update(to: table(first), otherTable(second))
      return (join.table, query)
    }
  }

  private typealias Shown = (table: LiveTable<Source>, query: Queried)

  /// Creates a list that follows tables and queries from `states` in a separate task.
  private init<Memo: Sendable, each State: Sendable>(
    _ query: LiveQuery<Source, Section>, of table: LiveTable<Source>,
    _ queries: Knot<Queried>, _ memo: Memo,
    from states: StatesSequence<repeat each State>,
    _ next: @escaping @Sendable (inout Memo, repeat each State) -> Shown
  ) {
    derived = DerivedSnapshot(query, of: table)
    knot = Knot(derived.snapshot)
    self.queries = queries
    let demand = knot.demand
    let list = WeakReference(self)
    knot.bag.add {
      var (states, own) = (states.makeAsyncIterator(), memo)
      while await demand.next(), let state = await states.next(isolation: nil) {
        let (table, query) = next(&own, repeat each state)
        await list.object?.show(table, query)
      }
    }
  }

  /// Replaces the query.
  ///
  /// The call is synchronous and may come from any isolation. Queries take effect in the order of these calls.
  ///
  /// The list assumes that a closure that the new query shares with the list's last query still returns the same results. If a
  /// closure reads a setting or a clock, call its operator, such as `filter`, again before each call of `show(_:)`, because the
  /// list treats the closure of a new operator call as changed. Alternatively, show the unchanged query again; the list then
  /// derives all rows again.
  ///
  /// - Parameter query: The new query.
  /// - Complexity: O(window) for each section if only the window differs. O(*n* + *k* log *k*) if the query maps rows in the same
  ///   way and keeps their sections and order, for *k* rows that it adds. Otherwise O(*n* log *n*). The work runs on the list.
  public nonisolated func show(_ query: LiveQuery<Source, Section>) {
    // The closure returns the old query, so that the query is released outside the lock.
    _ = queries.write(by: ObjectIdentifier(self)) { shown in
      let old = shown
      shown.query = query
      if query.isSame(as: old.query) { shown.renewals += 1 }
      shown.shows += 1
      return old
    }
  }

  private func show(_ table: LiveTable<Source>, _ queried: Queried) {
    // If the list skipped queries, the new query may be the same as the one that the list carried out last.
    let isShownAgain =
      queried.renewals != renewals
      || queried.shows != shows && queried.query.isSame(as: derived.query)
    (renewals, shows) = (queried.renewals, queried.shows)
    if isShownAgain {
      derived = DerivedSnapshot(queried.query, of: table)
    } else if !derived.update(to: table, queried.query) {
      return
    }
    knot.exchange(for: derived.snapshot, by: ObjectIdentifier(self))
  }
}
