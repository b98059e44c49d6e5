/// What a query shows of one version of a table, and how to bring that to the next one: pure logic.
struct Derivation<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Key = Section.DiffIdentifier
  private typealias Rows = TaggedRows<Section.Item>

  /// A section: its rows are a tree in their order, the tag of each is the number of its arrival.
  private struct Group: Sendable {
    let key: Key
    var rows = RowTree<Section.Item>()
    var measure: (any SectionMeasure<Section.Item>)?
    var shown: ShownSection<Section>
  }

  private(set) var query: Query
  private(set) var table: LiveTable<Source>
  /// The sections, ascending.
  private var groups: [Group] = []
  /// What the query shows of the table.
  private(set) var snapshot = DiffableSnapshot<Section>()

  /// Derives all rows.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ query: Query, of table: LiveTable<Source>) {
    (self.query, self.table) = (query, table)
    let all = query.loops.changes([], table.tree.leaves, query.steps(), query.order).come
    // In order, so that none is inserted before others.
    for (key, rows) in all.sorted(by: { query.isBefore($0.key, $1.key) }) {
      change(key, adding: rows)
    }
    if groups.isEmpty, let only = query.only { change(only) }
    makeSnapshot()
  }

  /// Goes over to a newer version of the table and to another query.
  ///
  /// - Returns: Whether something else is shown.
  /// - Complexity: O(*k* log *n*) for *k* rows changed, if they are few; O(*n* + *k* log *k*) for more,
  ///   or for a query that differs only in its conditions; else, and above a share of the rows,
  ///   O(*n* log *n*).
  mutating func update(to newTable: LiveTable<Source>, _ newQuery: Query) -> Bool {
    let isOther = query.identity !== newQuery.identity
    guard query.plan === newQuery.plan, let hasChanged = follow(newTable) else {
      self = Derivation(newQuery, of: newTable)
      return true
    }
    table = newTable
    if isOther { goOver(to: newQuery) }
    if isOther || hasChanged { makeSnapshot() }
    return isOther || hasChanged
  }

  private mutating func makeSnapshot() {
    groups.removeAll { $0.rows.count == 0 && $0.key != query.only }
    snapshot = DiffableSnapshot(shown: groups.map { $0.shown })
    snapshot.query = query.identity
  }

  /// Carries the rows out in which a newer version of the table differs.
  ///
  /// - Returns: Whether something else is shown; nil if all must be derived anew: most rows differ, or one is
  ///   not where the closures say that it must be, because they are not pure.
  private mutating func follow(_ newTable: LiveTable<Source>) -> Bool? {
    let (old, new) = newTable.tree.leaves(since: table.tree)
    func changes(_ count: Int) -> (gone: [Key: Rows], come: [Key: Rows]) {
      query.loops.changes(
        Array(old.prefix(count)), Array(new.prefix(count)), query.steps(), query.order)
    }
    if new.count > 1_000 {
      // The order of hashes is no order of the rows, so some leaves are a sample of all.
      let (gone, come) = changes(32)
      let changed = [gone, come].flatMap { $0.values }.reduce(0) { $0 + $1.rows.count }
      if changed > new.prefix(32).reduce(0, { $0 + $1.rows.count }) { return nil }
    }
    var (gone, come) = changes(.max)
    var hasChanged = false
    for key in gone.keys where come[key] == nil { come[key] = ([], []) }
    for (key, come) in come {
      guard let isOther = change(key, removing: gone[key] ?? ([], []), adding: come) else {
        return nil
      }
      if isOther { hasChanged = true }
    }
    return hasChanged
  }

  /// Shows a query of the same plan: of the rows that are shown only those are looked at that may fail, and of
  /// the others only those that may come.
  private mutating func goOver(to newQuery: Query) {
    let (added, dropped) = (
      newQuery.conditions(without: query), query.conditions(without: newQuery)
    )
    query = newQuery
    var coming: [Key: Rows] = [:]
    if let dropped {
      let steps = query.steps(butNot: dropped)
      coming = query.loops.changes([], table.tree.leaves, steps, query.order).come
    }
    for group in groups {
      change(group.key, adding: coming.removeValue(forKey: group.key) ?? ([], []), added)
    }
    for (key, come) in coming { change(key, adding: come) }
  }
}

extension Derivation {
  /// Edits a section, which is made if it is not there; its rows must fulfil a condition from now on.
  ///
  /// - Returns: Whether something else is shown of it; nil if a row that goes is not where it must be.
  @discardableResult
  private mutating func change(
    _ key: Key, removing gone: Rows = ([], []), adding come: Rows = ([], []),
    _ isShown: (@Sendable (Section.Item) -> Bool)? = nil
  ) -> Bool? {
    let place = place(of: key)
    if place == groups.count || groups[place].key != key {
      groups.insert(
        Group(
          key: key, measure: query.measure,
          shown: shown(key, RowTree(), query.measure, instead: nil)),
        at: place)
    }
    let old = groups[place].shown
    guard let items = edit(&groups[place].rows, removing: gone, adding: come, isShown) else {
      return nil
    }
    groups[place].measure?.update(removing: items, adding: come.rows)
    groups[place].shown = shown(key, groups[place].rows, groups[place].measure, instead: old)
    return query.range == nil || groups[place].rows.count == 0 || groups[place].shown != old
  }

  /// Edits the rows of a section: a few are searched for, for more a walk along the leaves is faster.
  ///
  /// - Returns: The rows that have gone; nil if one is not where it must be.
  private func edit(
    _ tree: inout RowTree<Section.Item>, removing gone: Rows, adding come: Rows,
    _ isShown: (@Sendable (Section.Item) -> Bool)?
  ) -> [Section.Item]? {
    guard isShown == nil, (gone.rows.count + come.rows.count) * 100 <= tree.count + 1_000 else {
      var progress: QueryLoops<Source, Section.Item, Key>.Progress = ([], 0)
      let edit = (Set(gone.tags), isShown, come)
      tree.mapLeaves { leaf, next in
        query.loops.edit(leaf, next == nil, edit, &progress, query.order)
      }
      return isShown == nil && progress.gone.count < gone.rows.count ? nil : progress.gone
    }
    func rank(_ item: Section.Item, _ arrival: Int) -> Int {
      tree.prefixCount { other, otherArrival in
        (query.order?.compare(other, item) ?? .same).isBefore(orElse: otherArrival < arrival)
      }
    }
    var removed: [Int] = []
    for (item, arrival) in zip(gone.rows, gone.tags) {
      let rank = rank(item, arrival)
      if rank == tree.count || tree.at(rank).tag != arrival { return nil }
      removed.append(rank)
    }
    let inserted = zip(come.rows, come.tags).map { rank($0, $1) }
    tree.perform(
      RowTree.Edit(
        ranks: RowNode.Ranks(removed: removed.sorted(), inserted: inserted), rows: come.rows,
        tags: come.tags))
    return gone.rows
  }

  /// The place of a section, or the one where it would be.
  private func place(of key: Key) -> Int {
    partitionPoint(0..<groups.count) { !query.isBefore(groups[$0].key, key) }
  }

  /// What is shown of a section; where a window shows the same rows as before, these.
  private func shown(
    _ key: Key, _ rows: RowTree<Section.Item>, _ measure: (any SectionMeasure<Section.Item>)?,
    instead old: ShownSection<Section>?
  ) -> ShownSection<Section> {
    var shown = ShownRows(rows)
    let content = query.content(key, shown, measure)
    if let range = query.range {
      let all = shown
      shown = ShownRows(range.clamped(to: 0..<all.count).map { all[$0] })
      if let old, old.rows == shown { shown = old.rows }
    }
    return ShownSection(diffIdentifier: key, content: content, rows: shown)
  }
}
