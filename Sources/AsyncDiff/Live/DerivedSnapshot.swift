/// A value that derives the snapshot of a query from one version of a table, and updates the snapshot to the next version.
struct DerivedSnapshot<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable
{
  typealias Query = LiveQuery<Source, Section>
  typealias Key = Section.DiffIdentifier
  private typealias Group = SectionRows<Source, Section>

  private(set) var query: Query
  private(set) var table: LiveTable<Source>
  /// The rows of each section, ascending by key.
  private var groups: [Group] = []
  /// The shown part of each group, at the same index.
  private var shown: [ShownSection<Section>] = []
  var snapshot: DiffableSnapshot<Section> {
    var snapshot = DiffableSnapshot(shown: shown)
    snapshot.query = query.identity
    return snapshot
  }

  /// Derives all rows in O(*n* log *n*).
  init(_ query: Query, of table: LiveTable<Source>) {
    (self.query, self.table) = (query, table)
    let insertions = query.loops.changes([], table.tree.leaves, query.steps(), query.choice.order)
      .insertions
    _ = edit(Self.edits(adding: insertions, at: query.only.map { [$0] } ?? []), areSeen: true)
  }

  /// Updates the snapshot to a newer version of the table and to another query; returns whether the snapshot changes.
  ///
  /// For *n* rows, of which *k* changed or are newly shown, the update costs O(*k* log *n*) if *k* is small, and O(*n* + *k* log
  /// *k*) if *k* is larger, or if the query is new but keeps the order of the rows. If *k* is too large a share of the rows, or
  /// the new query has a different order, all rows are derived again in O(*n* log *n*).
  mutating func update(to newTable: LiveTable<Source>, _ newQuery: Query) -> Bool {
    let hasChanged: Bool?
    if newQuery.identity !== query.identity {
      hasChanged = goOver(to: newQuery, of: newTable) ? true : nil
    } else {
      let isSamePart = newQuery.choice.part == query.choice.part
      hasChanged = follow(newTable).map { $0 || !isSamePart }
      if hasChanged != nil, !isSamePart {
        query = newQuery
        for place in groups.indices {
          shown[place] = groups[place].shown(by: newQuery, shown[place].content)
        }
      }
    }
    guard let hasChanged else {
      self = DerivedSnapshot(newQuery, of: newTable)
      return true
    }
    table = newTable
    return hasChanged
  }

  /// Applies the rows that differ in a newer version of the table.
  ///
  /// - Returns: Whether the snapshot changes. `nil` if all rows must be derived again: either more than 1,000 leaves differ and
  ///   so do most of their rows, or a closure is not pure, so a row is not at the position that the closure's result implies.
  private mutating func follow(_ newTable: LiveTable<Source>) -> Bool? {
    let (old, new) = newTable.tree.leaves(since: table.tree)
    func changes(_ count: Int) -> Group.Loops.Changes {
      query.loops.changes(
        Array(old.prefix(count)), Array(new.prefix(count)), query.steps(), query.choice.order)
    }
    if new.count > 1_000 {
      // Leaves are in hash order, which is random with respect to the rows, so the first leaves are a fair sample.
      let (removals, insertions, _) = changes(32)
      let changed = [removals, insertions].flatMap { $0.values }.reduce(0) { $0 + $1.rows.count }
      if changed > new.prefix(32).reduce(0, { $0 + $1.rows.count }) { return nil }
    }
    let (removals, insertions, areSeen) = changes(.max)
    var edits = Self.edits(adding: insertions, at: removals.keys)
    for (key, rows) in removals { edits[key]?.removals = rows }
    return edit(edits, areSeen: areSeen)
  }

  /// Switches to a query that maps rows in the same way and keeps the shown rows in their sections and order.
  ///
  /// The method does not call closures that only the old query has, because their results may have changed.
  ///
  /// - Returns: `false` if all rows must be derived again.
  private mutating func goOver(to newQuery: Query, of newTable: LiveTable<Source>) -> Bool {
    guard newQuery.choice.source === query.choice.source,
      newQuery.choice.arrivalSign == query.choice.arrivalSign
    else {
      return false
    }
    let isSamePlan = newQuery.plan === query.plan
    let mayComeBack = !isSamePlan || query.choice.condition(without: newQuery.choice) != nil
    let condition = newQuery.choice.condition(without: isSamePlan ? query.choice : nil)
    let changes = newTable.changes(since: table)
    let removals = Set(changes.compactMap { $0.old.map { $0.arrival * query.choice.arrivalSign } })
    query = newQuery
    for place in groups.indices {
      if !isSamePlan { groups[place].dropMeasure() }
      guard groups[place].keep(condition, without: removals, by: query) else { return false }
      guard isSamePlan || groups[place].adoptMeasure(of: query) else { return false }
    }
    let leaves =
      mayComeBack
      ? newTable.tree.leaves : [(changes.compactMap { $0.new }, changes.map { _ in 0 })]
    let stays = mayComeBack ? NumberSet(groups.flatMap { $0.rows.tags }) : nil
    let insertions = query.loops.changes(
      [], leaves, query.steps(without: stays), query.choice.order
    ).insertions
    let keys = groups.map { $0.key } + (query.only.map { [$0] } ?? [])
    return edit(Self.edits(adding: insertions, at: keys), areSeen: true) != nil
  }

  /// Returns one edit for each section: its insertions, or an empty edit for a key of `others` without insertions.
  private static func edits(
    adding insertions: Group.Loops.Sections, at others: some Sequence<Key>
  ) -> [Key: RowMerge<Section.Item>] {
    var edits = insertions.mapValues { RowMerge<Section.Item>(inserting: $0) }
    for key in others where edits[key] == nil { edits[key] = RowMerge<Section.Item>() }
    return edits
  }

  /// Edits sections, creates missing ones, and removes those that become empty, except the section with the key `query.only`.
  ///
  /// - Parameters:
  ///   - edits: The edit of each section.
  ///   - areSeen: Whether an inserted or removed row makes a visible difference.
  /// - Returns: Whether the snapshot changes; `nil` if a removed row is not at the position that the order implies.
  /// - Complexity: O(*k* log *n*) for *k* edited rows, plus O(sections) if a section appears or disappears.
  private mutating func edit(_ edits: [Key: RowMerge<Section.Item>], areSeen: Bool) -> Bool? {
    var fresh: [Group] = []
    var (hasChanged, hasEmpty) = (areSeen && query.choice.part == .all, false)
    // Visit the edits in ascending order of their keys, so that `fresh` is sorted.
    for (key, edit) in edits.sorted(by: { query.isBefore($0.key, $1.key) }) {
      let place = partitionPoint(0..<groups.count) { !query.isBefore(groups[$0].key, key) }
      if place < groups.count, groups[place].key == key {
        guard groups[place].edit(edit, by: query) else { return nil }
        let before = shown[place]
        show(place)
        // `==` may ignore identifiers, so rows that compare as equal may have been swapped.
        hasChanged =
          hasChanged || shown[place] != before
          || !shown[place].rows.hasIdentifiers(of: before.rows)
        hasEmpty = hasEmpty || groups[place].rows.count == 0
      } else {
        let next = place < groups.count ? groups[place].key : nil
        for other in [fresh.last?.key, next] {
          if let other, !query.isBefore(other, key), !query.isBefore(key, other) {
            Self.refuse(key, and: other)
          }
        }
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

  private static func refuse(_ key: Key, and other: Key) -> Never {
    fatalError(
      """
      LiveQuery.sections(by:): needs keys that are equal or have an order; got \(key) and \(other), of which \
      neither is less than the other. Compare another property in '<' if the first ones are equal.
      """)
  }

  private mutating func show(_ place: Int) {
    shown[place] = groups[place].shown(by: query)
  }

  /// Merges new groups into the existing ones and drops groups without rows, except the group with the key `query.only`.
  private mutating func merge(_ fresh: [Group]) {
    let (old, oldShown) = (groups, shown)
    (groups, shown) = ([], [])
    var next = 0
    func isStaying(_ group: Group) -> Bool { group.rows.count > 0 || group.key == query.only }
    func addFresh(before key: Key?) {
      while next < fresh.count, key.map({ query.isBefore(fresh[next].key, $0) }) ?? true {
        groups.append(fresh[next])
        shown.append(fresh[next].shown(by: query))
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
