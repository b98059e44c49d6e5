/// The rows of a section of a query, in their order; the tag of each tells when it arrived.
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
    /// The first row that goes or comes next.
    func next() -> Loops.First? {
      func row(_ number: Int, _ rows: TaggedRows<Section.Item>) -> Loops.First? {
        number < rows.rows.count ? (rows.rows[number], rows.tags[number]) : nil
      }
      guard let gone = row(progress.gone, edit.gone) else { return row(progress.come, edit.come) }
      guard let come = row(progress.come, edit.come) else { return gone }
      return Loops.isBefore(gone.row, gone.tag, come.row, come.tag, query.order) ? gone : come
    }
    var first = next()
    rows.mapLeaves { leaf in
      if edit.stays != nil { return true }
      guard let first, let leaf else { return first != nil }
      return Loops.isBefore(first.row, first.tag, leaf.rows[0], leaf.tags[0], query.order)
    } to: { rows, leaf in
      defer { first = next() }
      return query.loops.edit(
        rows, leaf.map { ($0.rows[0], $0.tags[0]) }, edit, &progress, query.order)
    }
    measure?.update(removing: progress.removed, adding: edit.come.rows)
    return progress.gone == edit.gone.rows.count
  }

  /// Takes away the rows that do not fulfil a condition, and those with some tags.
  mutating func keep(
    _ condition: (@Sendable (Section.Item) -> Bool)?, without gone: Set<Int>, by query: Query
  ) {
    if condition == nil, gone.isEmpty { return }
    let isEdited = edit((([], []), (condition, gone), ([], [])), by: query)
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
