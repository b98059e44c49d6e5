/// What a query shows of one version of a table, and how to bring that to the next one: pure logic.
struct Derivation<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Key = Section.DiffIdentifier
  private typealias Group = SectionRows<Source, Section>

  private(set) var query: Query
  private(set) var table: LiveTable<Source>
  /// The sections, ascending.
  private var groups: [Group] = []
  /// What is shown of each section.
  private var shown: [ShownSection<Section>] = []
  /// What the query shows of the table.
  var snapshot: DiffableSnapshot<Section> {
    var snapshot = DiffableSnapshot(shown: shown)
    snapshot.query = query.identity
    return snapshot
  }

  /// Derives all rows.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ query: Query, of table: LiveTable<Source>) {
    (self.query, self.table) = (query, table)
    let come = query.loops.changes([], table.tree.leaves, query.steps(), query.order).come
    _ = edit(Self.edits(adding: come, at: query.only.map { [$0] } ?? []), areSeen: true)
  }

  /// Goes over to a newer version of the table and to another query.
  ///
  /// - Returns: Whether something else is shown.
  /// - Complexity: O(*k* log *n*) for *k* rows changed, if they are few; O(*n* + *k* log *k*) for more,
  ///   or for a query that puts the rows into the same order; else, and above a share of the rows,
  ///   O(*n* log *n*).
  mutating func update(to newTable: LiveTable<Source>, _ newQuery: Query) -> Bool {
    let hasChanged: Bool?
    if newQuery.identity !== query.identity || newQuery.source !== query.source {
      hasChanged = goOver(to: newQuery, of: newTable) ? true : nil
    } else {
      hasChanged = follow(newTable).map { $0 || newQuery.range != query.range }
      if hasChanged != nil, newQuery.range != query.range {
        query = newQuery
        for place in groups.indices { show(place) }
      }
    }
    guard let hasChanged else {
      self = Derivation(newQuery, of: newTable)
      return true
    }
    table = newTable
    return hasChanged
  }

  /// Carries the rows out in which a newer version of the table differs.
  ///
  /// - Returns: Whether something else is shown; nil if all must be derived anew: most rows differ, or one is
  ///   not where the closures say that it must be, because they are not pure.
  private mutating func follow(_ newTable: LiveTable<Source>) -> Bool? {
    let (old, new) = newTable.tree.leaves(since: table.tree)
    func changes(_ count: Int) -> Group.Loops.Changes {
      query.loops.changes(
        Array(old.prefix(count)), Array(new.prefix(count)), query.steps(), query.order)
    }
    if new.count > 1_000 {
      // The order of hashes is no order of the rows, so some leaves are a sample of all.
      let (gone, come, _) = changes(32)
      let changed = [gone, come].flatMap { $0.values }.reduce(0) { $0 + $1.rows.count }
      if changed > new.prefix(32).reduce(0, { $0 + $1.rows.count }) { return nil }
    }
    let (gone, come, areSeen) = changes(.max)
    var edits = Self.edits(adding: come, at: gone.keys)
    for (key, rows) in gone { edits[key]?.gone = rows }
    return edit(edits, areSeen: areSeen)
  }

  /// Shows a query that makes the same rows: those that are shown stay in their order, if it is that of the new
  /// query, too.
  ///
  /// No closure of the old query is asked that the new one does not have: its answers may be others by now.
  ///
  /// - Returns: False if all must be derived anew.
  private mutating func goOver(to newQuery: Query, of newTable: LiveTable<Source>) -> Bool {
    guard newQuery.source === query.source, newQuery.arrivalSign == query.arrivalSign else {
      return false
    }
    let isSamePlan = newQuery.plan === query.plan
    let mayComeBack = !isSamePlan || query.condition(without: newQuery) != nil
    let condition = newQuery.condition(without: isSamePlan ? query : nil)
    let changes = newTable.changes(since: table)
    let gone = Set(changes.compactMap { $0.old.map { $0.arrival * query.arrivalSign } })
    query = newQuery
    for place in groups.indices {
      guard groups[place].keep(condition, without: gone, by: query) else { return false }
      guard isSamePlan || groups[place].takeOver(by: query) else { return false }
    }
    let leaves =
      mayComeBack
      ? newTable.tree.leaves : [(changes.compactMap { $0.new }, changes.map { _ in 0 })]
    let stays = mayComeBack ? NumberSet(groups.flatMap { $0.rows.tags }) : nil
    let come = query.loops.changes([], leaves, query.steps(without: stays), query.order).come
    return edit(Self.edits(adding: come, at: groups.map { $0.key }), areSeen: true) != nil
  }

  /// Edits that add rows to sections, and one for each of other sections.
  private static func edits(
    adding come: Group.Loops.Sections, at others: some Sequence<Key>
  ) -> [Key: Group.Loops.Merge] {
    var edits = come.mapValues { Group.Loops.Merge(inserting: $0) }
    for key in others where edits[key] == nil { edits[key] = Group.Loops.Merge() }
    return edits
  }

  /// Edits sections; makes those that are not there, and takes away those without rows.
  ///
  /// - Parameters:
  ///   - edits: What is done with the rows of each section.
  ///   - areSeen: Whether any of the rows that come or go can be seen.
  /// - Returns: Whether something else is shown; nil if a row that goes is not where it must be.
  /// - Complexity: O(*k* log *n*) for *k* rows that come or go, and O(sections) if a section does.
  private mutating func edit(_ edits: [Key: Group.Loops.Merge], areSeen: Bool) -> Bool? {
    var fresh: [Group] = []
    var (hasChanged, hasEmpty) = (areSeen && query.range == nil, false)
    // In order, so that a section that is made does not come before others.
    for (key, edit) in edits.sorted(by: { query.isBefore($0.key, $1.key) }) {
      let place = partitionPoint(0..<groups.count) { !query.isBefore(groups[$0].key, key) }
      if place < groups.count, groups[place].key == key {
        guard groups[place].edit(edit, by: query) else { return nil }
        let before = shown[place]
        show(place)
        hasChanged = hasChanged || shown[place] != before
        hasEmpty = hasEmpty || groups[place].rows.count == 0
      } else {
        var group = Group(key: key, by: query)
        guard group.edit(edit, by: query) else { return nil }
        fresh.append(group)
      }
    }
    if hasEmpty || !fresh.isEmpty {
      let count = groups.count
      merge(fresh)
      hasChanged = hasChanged || !fresh.isEmpty || groups.count != count
    }
    return hasChanged
  }

  private mutating func show(_ place: Int) {
    shown[place] = groups[place].shown(by: query, before: shown[place])
  }

  /// Merges new sections with those that are there and have rows.
  private mutating func merge(_ fresh: [Group]) {
    let (old, oldShown) = (groups, shown)
    (groups, shown) = ([], [])
    var next = 0
    func isStaying(_ group: Group) -> Bool { group.rows.count > 0 || group.key == query.only }
    func addFresh(before key: Key?) {
      while next < fresh.count, key.map({ query.isBefore(fresh[next].key, $0) }) ?? true {
        groups.append(fresh[next])
        shown.append(fresh[next].shown(by: query, before: nil))
        next += 1
      }
    }
    for (group, section) in zip(old, oldShown) {
      addFresh(before: group.key)
      if isStaying(group) {
        groups.append(group)
        shown.append(section)
      }
    }
    addFresh(before: nil)
  }
}
