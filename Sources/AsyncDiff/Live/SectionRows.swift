/// The rows of a section of a query, in their order; the tag of each tells when it arrived.
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

  /// Removes and inserts rows; only the leaves are looked at that these concern.
  ///
  /// - Returns: Whether each row that goes was where it must be.
  mutating func edit(_ merge: Loops.Merge, by query: Query) -> Bool {
    var merge = merge
    let isFound = rows.perform(&merge) {
      Loops.isBefore($0.row, $0.tag, $1.row, $1.tag, query.order)
    } _: {
      query.loops.edit($0, $1, &$2, query.order)
    }
    return (measure?.update(removing: merge.removed, adding: merge.come) ?? true) && isFound
  }

  /// Takes away the rows that do not fulfil a condition, and those with some tags.
  ///
  /// - Returns: Whether what was measured of them was where it must be.
  mutating func keep(
    _ condition: (@Sendable (Section.Item) -> Bool)?, without gone: Set<Int>, by query: Query
  ) -> Bool {
    if condition == nil, gone.isEmpty { return true }
    return edit(Loops.Merge(keeping: (condition, gone)), by: query)
  }

  /// Takes over what another query measures, if the rows are in its order.
  ///
  /// - Returns: Whether they are.
  mutating func takeOver(by query: Query) -> Bool {
    guard query.loops.areInOrder(rows.leaves, key, query.key, query.order) else { return false }
    measure = query.measure
    return measure?.update(removing: ([], []), adding: (rows.array, rows.tags)) ?? true
  }

  /// What is shown of the section; where a window shows the same rows as before, these.
  func shown(by query: Query, before: ShownSection<Section>?) -> ShownSection<Section> {
    var shown = ShownRows(rows)
    let content = query.content(key, shown, measure)
    if let range = query.range {
      let all = shown
      shown = ShownRows(range.clamped(to: 0..<all.count).map { all[$0] })
      if let before, before.rows == shown { shown = before.rows }
    }
    return ShownSection(diffIdentifier: key, content: content, rows: shown)
  }
}
