/// What a query shows of one version of a table, and how to bring that to the next one: pure logic.
struct Derivation<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Key = Section.DiffIdentifier
  typealias Entry = (item: Section.Item, arrival: Int)

  /// A section: its rows are a tree in their order, the tag of each is the number of its arrival.
  private struct Group: Sendable {
    let key: Key
    var rows = RowTree<Section.Item>()
    var measure: (any SectionMeasure<Section.Item>)?
    var shown: ShownSection<Section>
  }

  private typealias Change = LiveTable<Source>.Change

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
    derive(table.tree.leaves)
  }

  /// Goes over to a newer version of the table and to another query.
  ///
  /// - Returns: Whether something else is shown.
  /// - Complexity: O(*k* log *n*) for *k* rows changed, if they are few; O(*n* + *k* log *k*) for more,
  ///   or for a query that differs only in its conditions; else O(*n* log *n*).
  mutating func update(to newTable: LiveTable<Source>, _ newQuery: Query) -> Bool {
    let old = query
    guard old.plan === newQuery.plan else {
      self = Derivation(newQuery, of: newTable)
      return true
    }
    let changes = newTable.changes(since: table, query.loops.compare)
    table = newTable
    guard var hasChanged = follow(changes) else {
      self = Derivation(newQuery, of: newTable)
      return true
    }
    if old.identity !== newQuery.identity {
      query = newQuery
      derive(table.tree.leaves, keeping: groups, of: old)
      hasChanged = true
    }
    return hasChanged
  }

  /// Carries changed rows out: one by one if they are few, else in one pass.
  ///
  /// - Returns: Whether something else is shown; nil if a row is not where the closures say that it must
  ///   be: they are not pure, and all must be derived.
  private mutating func follow(_ changes: [Change]) -> Bool? {
    guard !changes.isEmpty else { return false }
    // A row in its place costs so many times what it costs to pass a row by.
    guard changes.count * 500 > table.count + 2_000 else { return edit(changes) }
    derive(
      [changes.compactMap(\.new)], keeping: groups,
      without: Set(changes.lazy.compactMap { $0.old?.arrival }))
    return true
  }
}

extension Derivation {
  /// Derives sections from rows of the table and from what is shown.
  ///
  /// - Parameters:
  ///   - rows: Rows of the table.
  ///   - kept: What is shown already, and stays in its order.
  ///   - gone: The arrivals of rows that do not stay.
  ///   - old: The query that is shown, if its conditions are others.
  private mutating func derive(
    _ rows: [[TableRow<Source>]], keeping kept: [Group] = [], without gone: Set<Int> = [],
    of old: Query? = nil
  ) {
    let shown = kept.map { (key: $0.key, rows: $0.rows.array, arrivals: $0.rows.tags) }
    var sections = query.loops.derive(
      rows, (query.item, query.conditions, query.key), query.order,
      (shown, gone, old?.conditions)
    ).filter { !$0.rows.isEmpty || $0.key == query.only }
    if sections.isEmpty, let only = query.only { sections = [(only, [], [])] }
    groups = sections.sorted { query.isBefore($0.key, $1.key) }.map { section in
      let rows = RowTree(section.rows, tags: section.arrivals)
      var measure = query.measure
      measure?.update(removing: [], adding: section.rows)
      return Group(
        key: section.key, rows: rows, measure: measure,
        shown: self.shown(section.key, rows, measure, instead: nil))
    }
    snapshot = DiffableSnapshot(shown: groups.map(\.shown))
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

extension Derivation {
  /// The rows that leave a section, and those that come.
  private struct Edit {
    var gone: [Entry] = []
    var come: [Entry] = []
  }

  /// Carries changed rows out one by one.
  private mutating func edit(_ changes: [Change]) -> Bool? {
    var edits: [Key: Edit] = [:]
    for (old, new) in changes {
      let (old, new) = (entry(of: old), entry(of: new))
      if let old, let new, old.arrival == new.arrival, old.item == new.item { continue }
      if let old { edits[query.key(old.item), default: Edit()].gone.append(old) }
      if let new {
        let key = query.key(new.item)
        requireIdentity(key)
        edits[key, default: Edit()].come.append(new)
      }
    }
    var hasChanged = false
    for (key, edit) in edits {
      guard let isShown = perform(edit, of: key) else { return nil }
      hasChanged = hasChanged || isShown
    }
    groups.removeAll { $0.rows.count == 0 && $0.key != query.only }
    if hasChanged { snapshot = DiffableSnapshot(shown: groups.map(\.shown)) }
    return hasChanged
  }

  private func entry(of row: TableRow<Source>?) -> Entry? {
    row.flatMap { row in query.shownItem(of: row.row).map { ($0, row.arrival) } }
  }

  /// Edits a section; nil if a row is not in its place.
  private mutating func perform(_ edit: Edit, of key: Key) -> Bool? {
    let place = partitionPoint(0..<groups.count) { !query.isBefore(groups[$0].key, key) }
    if place == groups.count || groups[place].key != key {
      guard edit.gone.isEmpty else { return nil }
      let measure = query.measure
      groups.insert(
        Group(
          key: key, measure: measure, shown: shown(key, RowTree(), measure, instead: nil)),
        at: place)
    }
    let (rows, old) = (groups[place].rows, groups[place].shown)
    var removed: [Int] = []
    for entry in edit.gone {
      let rank = rank(of: entry, in: rows)
      guard rank < rows.count, rows.at(rank).tag == entry.arrival else { return nil }
      removed.append(rank)
    }
    let come = edit.come.sorted { isBefore($0, $1) }
    groups[place].rows.perform(
      RowTree.Edit(
        ranks: RowNode.Ranks(
          removed: removed.sorted(), inserted: come.map { rank(of: $0, in: rows) }),
        rows: come.map(\.item), tags: come.map(\.arrival)))
    groups[place].measure?.update(removing: edit.gone.map(\.item), adding: come.map(\.item))
    groups[place].shown = shown(
      key, groups[place].rows, groups[place].measure, instead: old)
    return query.range == nil || groups[place].rows.count == 0 || groups[place].shown != old
  }

  private func rank(of entry: Entry, in rows: RowTree<Section.Item>) -> Int {
    rows.prefixCount { isBefore(($0, $1), entry) }
  }

  private func isBefore(_ lhs: Entry, _ rhs: Entry) -> Bool {
    switch query.order?.compare(lhs.item, rhs.item) ?? .same {
    case .before: true
    case .same: lhs.arrival < rhs.arrival
    case .behind: false
    }
  }
}
