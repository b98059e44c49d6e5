/// What a query shows of one version of a table, and how to bring that to the next one: pure logic.
struct Derivation<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Key = Section.DiffIdentifier
  private typealias Rows = QueryLoops<Source, Section.Item, Key>.Rows
  private typealias Gone = (ranks: [Int], items: [Section.Item])

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
    for section in query.loops.sections(table.tree.leaves, query.steps(), query.order) {
      _ = change(section.key, removing: ([], []), adding: section.rows)
    }
    if groups.isEmpty, let only = query.only {
      _ = change(only, removing: ([], []), adding: ([], []))
    }
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
    guard query.plan === newQuery.plan,
      let hasChanged = follow(newTable.changes(since: table, query.loops.compare))
    else {
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
  }

  /// Carries changed rows out.
  ///
  /// - Returns: Whether something else is shown; nil if all must be derived anew, because that is faster,
  ///   or because a row is not where the closures say that it must be: they are not pure.
  private mutating func follow(_ changes: [LiveTable<Source>.Change]) -> Bool? {
    guard !changes.isEmpty else { return false }
    guard changes.count * 4 <= table.count + 1_000 else { return nil }
    func sections(_ rows: [TableRow<Source>]) -> [Key: Rows] {
      let sections = query.loops.sections([rows], query.steps(), query.order)
      return Dictionary(uniqueKeysWithValues: sections.lazy.map { ($0.key, $0.rows) })
    }
    let gone = sections(changes.compactMap { $0.old })
    let come = sections(changes.compactMap { $0.new })
    var hasChanged = false
    for (key, gone) in gone {
      let come = come[key]
      if let come, come.arrivals == gone.arrivals, come.items == gone.items { continue }
      let place = place(of: key)
      guard place < groups.count, groups[place].key == key,
        let ranks = ranks(of: gone, in: groups[place].rows, areThere: true)
      else { return nil }
      if change(key, removing: (ranks, gone.items), adding: come ?? ([], [])) { hasChanged = true }
    }
    for (key, come) in come where gone[key] == nil {
      if change(key, removing: ([], []), adding: come) { hasChanged = true }
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
    if !dropped.isEmpty {
      let steps = query.steps(dropping: dropped)
      for section in query.loops.sections(table.tree.leaves, steps, query.order) {
        coming[section.key] = section.rows
      }
    }
    for group in groups {
      let gone = added.isEmpty ? ([], []) : query.loops.failing(Self.leaves(of: group.rows), added)
      let come = coming.removeValue(forKey: group.key)
      _ = change(group.key, removing: gone, adding: come ?? ([], []))
    }
    for (key, come) in coming { _ = change(key, removing: ([], []), adding: come) }
  }
}

extension Derivation {
  /// Edits a section, which is made if it is not there.
  ///
  /// - Returns: Whether something else is shown of it.
  private mutating func change(_ key: Key, removing gone: Gone, adding come: Rows) -> Bool {
    let place = place(of: key)
    if place == groups.count || groups[place].key != key {
      groups.insert(
        Group(
          key: key, measure: query.measure,
          shown: shown(key, RowTree(), query.measure, instead: nil)),
        at: place)
    }
    let (rows, old) = (groups[place].rows, groups[place].shown)
    groups[place].rows.perform(
      RowTree.Edit(
        ranks: RowNode.Ranks(
          removed: gone.ranks, inserted: ranks(of: come, in: rows, areThere: false) ?? []),
        rows: come.items, tags: come.arrivals))
    groups[place].measure?.update(removing: gone.items, adding: come.items)
    groups[place].shown = shown(key, groups[place].rows, groups[place].measure, instead: old)
    return query.range == nil || groups[place].rows.count == 0 || groups[place].shown != old
  }

  /// The place of a section, or the one where it would be.
  private func place(of key: Key) -> Int {
    partitionPoint(0..<groups.count) { !query.isBefore(groups[$0].key, key) }
  }

  /// The ranks of rows that are in order: a few are searched for, for more a walk along the leaves is
  /// faster; nil if they must be there and one is not.
  private func ranks(
    of rows: Rows, in tree: RowTree<Section.Item>, areThere: Bool
  ) -> [Int]? {
    guard rows.items.count * 500 <= tree.count + 2_000 else {
      return query.loops.ranks(rows, Self.leaves(of: tree), query.order, areThere)
    }
    var ranks: [Int] = []
    for (item, arrival) in zip(rows.items, rows.arrivals) {
      let rank = tree.prefixCount { other, otherArrival in
        (query.order?.compare(other, item) ?? .same).isBefore(orElse: otherArrival < arrival)
      }
      if areThere, rank == tree.count || tree.at(rank).tag != arrival { return nil }
      ranks.append(rank)
    }
    return ranks
  }

  private static func leaves(of tree: RowTree<Section.Item>) -> [Rows] {
    var leaves: [Rows] = []
    tree.forEachLeaf { leaves.append(($0, $1)) }
    return leaves
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
