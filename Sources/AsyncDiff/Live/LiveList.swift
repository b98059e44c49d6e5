public import AsyncKnot

/// What a query shows of a table, kept up to date: a source of snapshots.
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
/// list.states.pipe(to: source, in: bag)    // to a data source, as any other
/// list.show(query.filter { $0.volume > 100 })
/// ```
/// A list is brought up to date when an observer waits for its next state, in one step from what it
/// showed last to the newest table, whatever lies between. So an observer that is slow gets fewer and
/// larger changes, and a list that nobody observes costs nothing; its `state` is then an older one.
/// The work is done on the list, an actor: neither on the holder of the table nor on the main actor.
///
/// The list keeps no source alive. When the source goes, the list shows its last table.
public actor LiveList<
  Source: Diffable & Equatable & Sendable, Section: SectionInflator
>: StateSource {
  /// The knot with what is shown.
  public nonisolated let knot: Knot<DiffableSnapshot<Section>>

  private var derivation: Derivation<Source, Section>
  private nonisolated let queries: Knot<LiveQuery<Source, Section>>

  /// Creates a list of a table that a source has as its state.
  ///
  /// - Parameters:
  ///   - query: What to show.
  ///   - source: The source of the table.
  /// - Complexity: O(*n* log *n*): the caller makes the first snapshot.
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
  ///   - query: What to show.
  ///   - source: The source.
  ///   - table: Reads the table.
  /// - Complexity: O(*n* log *n*): the caller makes the first snapshot.
  public init<Model: StateSource>(
    _ query: LiveQuery<Source, Section>, of source: Model,
    _ table: @escaping @Sendable (Model.State) -> LiveTable<Source>
  ) {
    let queries = Knot(query)
    self.init(
      query, of: table(source.state), queries, (), from: AsyncKnot.states(of: source, queries)
    ) { _, state, query in (table(state), query) }
  }

  /// Creates a list of a table whose rows are joined with those of another table, which both change.
  ///
  /// <!-- sample:
  /// typealias Joined = LiveTable<Order>.Joined<Customer>
  /// -->
  /// ```swift
  /// let query = LiveQuery(of: Joined.self).sorted { $0.match?.name ?? "" }
  /// let list = LiveList(query, of: orders, joinedWith: customers, on: \.customer)
  /// ```
  /// - Parameters:
  ///   - query: What to show of the joined rows.
  ///   - source: The source of the table; each of its rows is there, whether another matches or not.
  ///   - others: The source of the other table.
  ///   - key: The identifier that a row names; nil for none. One that does not equal itself ends the program.
  /// - Complexity: O(*n* log *n*): the caller makes the first snapshot. Later a row of the other table
  ///   costs O(log *n*) for each row that names it.
  public init<Row, Other>(
    _ query: LiveQuery<Source, Section>, of source: some StateSource<LiveTable<Row>>,
    joinedWith others: some StateSource<LiveTable<Other>>,
    on key: @escaping @Sendable (Row) -> Other.DiffIdentifier?
  ) where Source == LiveTable<Row>.Joined<Other> {
    self.init(query, of: source, { $0 }, joinedWith: others, { $0 }, on: key)
  }

  /// Creates a list of a table whose rows are joined with those of another table, where both are parts of
  /// states, or of one state.
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
  /// Two tables of one source are shown as they were at one moment.
  ///
  /// - Parameters:
  ///   - query: What to show of the joined rows.
  ///   - source: The source of the table.
  ///   - table: Reads the table.
  ///   - others: The source of the other table, which may be the same.
  ///   - otherTable: Reads the other table.
  ///   - key: The identifier that a row names; nil for none. One that does not equal itself ends the program.
  /// - Complexity: O(*n* log *n*): the caller makes the first snapshot. Later a row of the other table
  ///   costs O(log *n*) for each row that names it.
  public init<Row, Other, Model: StateSource, OtherModel: StateSource>(
    _ query: LiveQuery<Source, Section>, of source: Model,
    _ table: @escaping @Sendable (Model.State) -> LiveTable<Row>, joinedWith others: OtherModel,
    _ otherTable: @escaping @Sendable (OtherModel.State) -> LiveTable<Other>,
    on key: @escaping @Sendable (Row) -> Other.DiffIdentifier?
  ) where Source == LiveTable<Row>.Joined<Other> {
    let queries = Knot(query)
    let states = AsyncKnot.states(of: source, others, queries)
    let (first, second, _) = states.currentAndRest().state
    let join = TableJoin(table(first), with: otherTable(second), on: key)
    self.init(query, of: join.table, queries, join, from: states) {
      (join: inout TableJoin<Row, Other>, first: Model.State, second: OtherModel.State, query) in
      join.update(to: table(first), otherTable(second))
      return (join.table, query)
    }
  }

  private typealias Shown = (table: LiveTable<Source>, query: LiveQuery<Source, Section>)

  /// Creates a list that takes tables and queries from states, on which it works in a task of its own.
  private init<Memo: Sendable, each State: Sendable>(
    _ query: LiveQuery<Source, Section>, of table: LiveTable<Source>,
    _ queries: Knot<LiveQuery<Source, Section>>, _ memo: Memo,
    from states: StatesSequence<repeat each State>,
    _ next: @escaping @Sendable (inout Memo, repeat each State) -> Shown
  ) {
    derivation = Derivation(query, of: table)
    knot = Knot(derivation.snapshot)
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

  /// Shows another query of the table.
  ///
  /// The call is synchronous, from any isolation; the order of these calls is the order of the queries.
  ///
  /// A closure that this query and the shown one have in common is taken to answer as before. So one that
  /// reads a setting or a clock belongs in a part of the query that is made for each call; or show the same
  /// query again, which derives all rows anew.
  ///
  /// - Parameter query: What to show.
  /// - Complexity: O(window) for the shown query with another window; one pass, made where the list is, if
  ///   the query makes the same rows and puts them into the same sections and order; else O(*n* log *n*).
  public nonisolated func show(_ query: LiveQuery<Source, Section>) {
    let shown = queries.state
    let isSame = query.identity === shown.identity && query.range == shown.range
    queries.exchange(for: isSame ? query.renewed : query, by: ObjectIdentifier(self))
  }

  private func show(_ table: LiveTable<Source>, _ query: LiveQuery<Source, Section>) {
    guard derivation.update(to: table, query) else { return }
    knot.exchange(for: derivation.snapshot, by: ObjectIdentifier(self))
  }
}
