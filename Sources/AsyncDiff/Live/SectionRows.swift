/// The rows of a section of a query, in their order; the tag of each is the number of its arrival.
struct SectionRows<Source: Diffable & Equatable & Sendable, Section: SectionInflator>: Sendable {
  typealias Query = LiveQuery<Source, Section>
  typealias Loops = QueryLoops<Source, Section.Item, Section.DiffIdentifier>
  typealias Edit = Loops.Edit

  let key: Section.DiffIdentifier
  private(set) var rows = RowTree<Section.Item>()
  private var measure: (any SectionMeasure<Section.Item>)?

  init(key: Section.DiffIdentifier, by query: Query) {
    self.key = key
    measure = query.measure
  }

  /// Carries an edit out; only the leaves are looked at that it concerns.
  ///
  /// - Returns: Whether each row that goes was where it must be.
  mutating func edit(_ edit: Edit, by query: Query) -> Bool {
    var progress: Loops.Progress = (0, 0, [])
    func has(_ number: Int, of rows: TaggedRows<Section.Item>, before next: Loops.First?) -> Bool {
      number < rows.rows.count
        && next.map {
          Loops.isBefore(rows.rows[number], rows.tags[number], $0.row, $0.tag, query.order)
        } ?? true
    }
    rows.mapLeaves {
      edit.stays != nil || has(progress.come, of: edit.come, before: $0)
        || has(progress.gone, of: edit.gone, before: $0)
    } to: {
      query.loops.edit($0, $1, edit, &progress, query.order)
    }
    measure?.update(removing: progress.removed, adding: edit.come.rows)
    return progress.gone == edit.gone.rows.count
  }

  /// Takes away the rows that do not fulfil a condition, and those with some numbers of arrival.
  mutating func keep(
    _ condition: (@Sendable (Section.Item) -> Bool)?, without gone: Set<Int>, by query: Query
  ) {
    if condition == nil, gone.isEmpty { return }
    let isEdited = edit(
      (([], []), { !gone.contains($1) && condition?($0) ?? true }, ([], [])), by: query)
    assert(isEdited)
  }

  /// Takes over what another query measures, if the rows are in its order.
  ///
  /// - Returns: Whether they are.
  mutating func takeOver(by query: Query) -> Bool {
    guard query.loops.areInOrder(rows.leaves, key, query.key, query.order) else { return false }
    measure = query.measure
    measure?.update(removing: [], adding: rows.array)
    return true
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
