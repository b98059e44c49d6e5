/// The part of each section's rows that a query shows.
///
/// Queries that differ only in this value have the same sections and order.
struct SectionPart: Equatable, Sendable {
  static let all = SectionPart()

  /// The shown ranks; `nil` for all.
  var ranks: Range<Int>?

  func rows<Item>(of all: ShownRows<Item>) -> ShownRows<Item> {
    guard let ranks else { return all }
    return ShownRows(ranks.clamped(to: 0..<all.count).map { all[$0] })
  }
}

/// The rows of one section, in the query's order; the tag of a row is its arrival number times the query's `arrivalSign`.
struct SectionRows<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Loops = QueryLoops<Source, Section.Item, Section.DiffIdentifier>

  let key: Section.DiffIdentifier
  private(set) var rows = RowTree<Section.Item>()
  private var measure: (any SectionMeasure<Section.Item>)?

  init(key: Section.DiffIdentifier, by query: Query) {
    self.key = key
    measure = query.measure
  }

  /// Removes and inserts rows; edits only the affected leaves.
  ///
  /// - Returns: `true` if each row to remove was at its sorted position and the measure contained the value of each removed row.
  mutating func edit(_ merge: RowMerge<Section.Item>, by query: Query) -> Bool {
    var merge = merge
    let (loops, order) = (query.loops, query.choice.order)
    let isFound = rows.perform(&merge) {
      loops.isDue(&$0, $1, order)
    } _: {
      loops.edit($0, $1, &$2, order)
    }
    return (measure?.update(removing: merge.removed, adding: merge.insertions) ?? true) && isFound
  }

  /// Removes the rows that do not satisfy a condition, and those whose tags are in `removals`.
  ///
  /// - Returns: Whether the measure contained the value of each removed row.
  mutating func keep(
    _ condition: (@Sendable (Section.Item) -> Bool)?, without removals: Set<Int>, by query: Query
  ) -> Bool {
    if condition == nil, removals.isEmpty { return true }
    return edit(RowMerge<Section.Item>(keeping: (condition, removals)), by: query)
  }

  /// Drops the measure, so that no closure of its query is called again.
  mutating func dropMeasure() { measure = nil }

  /// Adopts the measure of another query if that query keeps the rows in this section and order; returns whether it succeeds.
  mutating func adoptMeasure(of query: Query) -> Bool {
    guard query.loops.areInOrder(rows.leaves, key, query.key, query.choice.order) else {
      return false
    }
    measure = query.measure
    return measure?.update(removing: ([], []), adding: (rows.array, rows.tags)) ?? true
  }

  /// Returns the section as it is shown; computes its content unless `content` is passed.
  func shown(by query: Query, _ content: Section.Content? = nil) -> ShownSection<Section> {
    var shown = ShownRows(rows)
    let content = content ?? query.content(key, shown, measure)
    if query.choice.part != .all { shown = query.choice.part.rows(of: shown) }
    return ShownSection(diffIdentifier: key, content: content, rows: shown)
  }
}
