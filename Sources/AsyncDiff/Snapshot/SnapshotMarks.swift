import Synchronization

/// The items and sections that are redrawn even if their content is equal.
///
/// The next batch reports each marked item or section as an update. A reloaded item gets a new cell, and a reconfigured item
/// keeps its cell. Copies of a snapshot share its marks, and each mark knows which data sources have carried it out, so each
/// source carries it out once.
struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private(set) var marks: [SnapshotMark<SectionID, ItemID>] = []

  var isEmpty: Bool { marks.isEmpty }

  /// Adds a mark; at 8, 16, 32, … marks, first removes those that a data source has carried out.
  ///
  /// Only another data source that shows the same snapshot would still need the removed marks.
  mutating func add(_ mark: SnapshotMark<SectionID, ItemID>) {
    let count = marks.count
    if count >= 8, count & (count - 1) == 0 { marks.removeAll(where: \.isCarriedOut) }
    marks.append(mark)
  }

  /// Adds the missing marks of an older snapshot; an edited copy already has most of them.
  mutating func absorb(_ older: Self) {
    guard !older.isEmpty else { return }
    let known = Set(marks.map(ObjectIdentifier.init))
    marks += older.marks.filter { !known.contains(ObjectIdentifier($0)) }
  }

  /// The marks that a data source has not carried out.
  func pending(for source: MarkSource) -> Self {
    var pending = self
    pending.marks.removeAll { $0.isCarriedOut(by: source) }
    return pending
  }

  func carryOut(by source: MarkSource) {
    for mark in marks { mark.carryOut(by: source) }
  }

  var items: Set<ItemID> { marks.reduce(into: []) { $0.formUnion($1.items) } }

  var sections: Set<SectionID> { marks.reduce(into: []) { $0.formUnion($1.sections) } }

  /// The updated items that keep their cell.
  var keptNodes: Set<ItemID> {
    var kept: Set<ItemID> = []
    for mark in marks where mark.keepsNodes { kept.formUnion(mark.items) }
    for mark in marks where !mark.keepsNodes { kept.subtract(mark.items) }
    return kept
  }
}

/// The items and sections that one call to `reloadItems`, `reconfigureItems` or a similar method has marked.
final class SnapshotMark<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  let items: Set<ItemID>
  let sections: Set<SectionID>
  /// Whether the items are reconfigured rather than reloaded.
  let keepsNodes: Bool
  /// The data sources that have carried out the mark.
  private let sources = Mutex<[MarkSource]>([])

  init(_ items: Set<ItemID>, sections: Set<SectionID> = [], keepsNodes: Bool) {
    self.items = items
    self.sections = sections
    self.keepsNodes = keepsNodes
  }

  var isCarriedOut: Bool { sources.withLock { !$0.isEmpty } }

  func isCarriedOut(by source: MarkSource) -> Bool {
    sources.withLock { $0.contains { $0 === source } }
  }

  func carryOut(by source: MarkSource) {
    sources.withLock { sources in
      if !sources.contains(where: { $0 === source }) { sources.append(source) }
    }
  }
}

/// Identifies a data source, and may outlive it.
final class MarkSource: Sendable {}

extension DiffableSnapshot {
  /// Marks items; throws for an unknown item.
  mutating func mark(
    items ids: some Sequence<ItemID>, keepsNodes: Bool, _ call: String = #function
  ) throws(EditError) {
    let ids = Set(ids)
    for id in ids { _ = try path(of: id, call) }
    marks.add(SnapshotMark(ids, keepsNodes: keepsNodes))
  }

  /// Marks sections with all their items; throws for an unknown section.
  mutating func mark(
    sections ids: some Sequence<SectionID>, keepsNodes: Bool, _ call: String = #function
  ) throws(EditError) {
    let ids = Set(ids)
    var items: Set<ItemID> = []
    for id in ids {
      items.formUnion(sections[try offset(ofSection: id, call)].rows.map(\.diffIdentifier))
    }
    marks.add(SnapshotMark(items, sections: ids, keepsNodes: keepsNodes))
  }

  /// A copy without marks, for a snapshot that is kept or sent, because a mark is carried out only once.
  var withoutMarks: Self {
    var snapshot = self
    snapshot.marks = SnapshotMarks()
    return snapshot
  }
}
