public import AsyncDiff

/// Rows that carry out batches by the rules of a collection view.
///
/// Each operation is checked and carried out by position, as in a view. Rows that the batch does not insert or update are not
/// read from the batch's snapshot. Afterward, all rows must equal those of the snapshot.
///
/// ```swift
/// var rows = StrictRows(old)
/// for batch in old.batches(to: new) { try rows.perform(batch) }
/// #expect(rows.matches(new))
/// ```
public struct StrictRows<Section: SectionInflator>: Sendable {
  /// A row, with a number that it keeps when it moves.
  struct Row: Sendable {
    let number: Int
    /// The path at which the row was loaded; `nil` for an inserted row.
    let origin: ItemPath?
    var item: Section.Item
  }

  struct Group: Sendable {
    let id: Section.DiffIdentifier
    var content: Section.Content
    var rows: [Row]
  }

  var groups: [Group] = []
  private var rowsMade = 0

  /// Loads the rows of a snapshot.
  public init(_ snapshot: DiffableSnapshot<Section>) {
    groups = snapshot.sections.indices.map { insertedGroup(at: $0, of: snapshot, isFirst: true) }
  }

  /// The items shown, section by section.
  public var items: [[Section.Item]] { groups.map { $0.rows.map(\.item) } }

  /// The contents of the sections.
  public var contents: [Section.Content] { groups.map(\.content) }

  /// The path at which each row was loaded, section by section; `nil` for an inserted row.
  public var origins: [[ItemPath?]] { groups.map { $0.rows.map(\.origin) } }

  /// Returns whether the identifiers, contents and items equal those of a snapshot.
  public func matches(_ snapshot: DiffableSnapshot<Section>) -> Bool {
    groups.map(\.id) == snapshot.sections.map(\.diffIdentifier)
      && contents == snapshot.sections.map(\.content)
      && items == snapshot.sections.map(\.items)
  }

  /// Carries out one stage; if the stage breaks a rule, throws the first violation and changes nothing.
  public mutating func perform(_ batch: BatchUpdates<Section>) throws(BatchViolation) {
    let sections = try SectionPlan(batch, before: groups.count)
    let plan = try ItemPlan(batch, sections: sections, before: groups.map(\.rows.count))
    var result = self
    result.groups = try result.arranged(batch, sections, plan)
    try result.update(batch, from: groups)
    try result.updateSections(batch, sections)
    try result.check(against: batch)
    self = result
  }

  /// Arranges the rows by the operations; rows without an operation keep their order.
  private mutating func arranged(
    _ batch: BatchUpdates<Section>, _ sections: SectionPlan, _ plan: ItemPlan
  ) throws(BatchViolation) -> [Group] {
    var result: [Group] = []
    for (target, origin) in sections.origins.enumerated() {
      guard let origin else {
        result.append(insertedGroup(at: target, of: batch.snapshot))
        continue
      }
      var staying = groups[origin].rows.indices.lazy
        .filter { !plan.leaving.contains(ItemPath(section: origin, item: $0)) }
        .makeIterator()
      var rows: [Row] = []
      for item in 0..<batch.snapshot.numberOfItems(in: target) {
        let path = ItemPath(section: target, item: item)
        if plan.inserted.contains(path) {
          rows.append(newRow(batch.snapshot.item(at: path)))
        } else if let from = plan.arriving[path] {
          rows.append(groups[from.section].rows[from.item])
        } else if let stayed = staying.next() {
          rows.append(groups[origin].rows[stayed])
        }
      }
      result.append(Group(id: groups[origin].id, content: groups[origin].content, rows: rows))
    }
    return result
  }

  private mutating func insertedGroup(
    at section: Int, of snapshot: DiffableSnapshot<Section>, isFirst: Bool = false
  ) -> Group {
    Group(
      id: snapshot.sections[section].diffIdentifier,
      content: snapshot.sections[section].content,
      rows: snapshot.items(in: section).enumerated().map { offset, item in
        newRow(item, from: isFirst ? ItemPath(section: section, item: offset) : nil)
      })
  }

  private mutating func newRow(_ item: Section.Item, from origin: ItemPath? = nil) -> Row {
    rowsMade += 1
    return Row(number: rowsMade, origin: origin, item: item)
  }
}
