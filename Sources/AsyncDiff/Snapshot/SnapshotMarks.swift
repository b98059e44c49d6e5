import Synchronization

/// The items and sections that are redrawn even if their content is equal.
///
/// The next batch reports each marked item or section as an update. A reloaded item gets a new cell, and a reconfigured item
/// keeps its cell. Copies of a snapshot share its marks, and each mark knows which data sources have applied it, so each
/// source applies it once.
struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private(set) var marks: [SnapshotMark<SectionID, ItemID>] = []

  var isEmpty: Bool { marks.isEmpty }

  /// Adds a mark; at 8, 16, 32, … marks, first merges those that the same data sources have applied.
  ///
  /// Other data sources may still need the merged marks. Marks that no data source has applied are merged only if there are at
  /// least 64 marks and they name each item about twice, because a snapshot that is being shown may contain some of them.
  ///
  /// - Parameters:
  ///   - mark: The mark.
  ///   - places: The items and sections of the snapshot. If marks are merged, all others are dropped.
  mutating func add(
    _ mark: SnapshotMark<SectionID, ItemID>,
    places: SnapshotIndex<SectionID, ItemID>.Places
  ) {
    let count = marks.count
    if count >= 8, count & (count - 1) == 0 {
      let marked = marks.reduce(0) { $0 + $1.items.count + $1.sections.count }
      let mergesAll = count >= 64 && marked >= 2 * (places.items.count + places.sections.count)
      let groups = Dictionary(grouping: marks, by: MarkGroup.init)
      marks = groups.flatMap { group, marks in
        guard mergesAll || !group.sources.isEmpty else { return marks }
        return [
          SnapshotMark(
            Set(marks.lazy.flatMap(\.items).filter { places.items[$0] != nil }),
            sections: Set(marks.lazy.flatMap(\.sections).filter { places.sections[$0] != nil }),
            keepsNodes: group.keepsNodes, sources: group.sources)
        ]
      }
    }
    marks.append(mark)
  }

  /// Adds the missing marks of older snapshots; an edited copy already has most of them.
  mutating func absorb(_ older: [Self]) {
    guard older.contains(where: { !$0.isEmpty }) else { return }
    var known = Set(marks.map(ObjectIdentifier.init))
    for mark in older.lazy.flatMap(\.marks) where known.insert(ObjectIdentifier(mark)).inserted {
      marks.append(mark)
    }
  }

  /// The marks that a data source has not applied.
  func pending(for source: MarkSource) -> Self {
    var pending = self
    pending.marks.removeAll { $0.isApplied(by: source) }
    return pending
  }

  func setApplied(by source: MarkSource) {
    for mark in marks { mark.setApplied(by: source) }
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

/// The items and sections that were marked by one call to `reloadItems`, `reconfigureItems` or a similar method, or by several
/// calls whose marks were merged.
final class SnapshotMark<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  let items: Set<ItemID>
  let sections: Set<SectionID>
  /// Whether the items are reconfigured rather than reloaded.
  let keepsNodes: Bool
  private let appliers: Mutex<Set<MarkSource>>

  init(
    _ items: Set<ItemID>, sections: Set<SectionID> = [], keepsNodes: Bool,
    sources: Set<MarkSource> = []
  ) {
    self.items = items
    self.sections = sections
    self.keepsNodes = keepsNodes
    appliers = Mutex(sources)
  }

  /// The data sources that have applied the mark.
  var sources: Set<MarkSource> { appliers.withLock { $0 } }

  func isApplied(by source: MarkSource) -> Bool { appliers.withLock { $0.contains(source) } }

  func setApplied(by source: MarkSource) {
    _ = appliers.withLock { $0.insert(source) }
  }
}

/// The properties that merged marks have in common.
private struct MarkGroup: Hashable {
  let keepsNodes: Bool
  /// The data sources that have applied the marks; `gone` stands for those that no longer exist.
  let sources: Set<MarkSource>

  init<SectionID, ItemID>(_ mark: SnapshotMark<SectionID, ItemID>) {
    keepsNodes = mark.keepsNodes
    sources = Set(mark.sources.map { $0.isGone ? .gone : $0 })
  }
}

/// Identifies a data source, and may outlive it.
final class MarkSource: Hashable, Sendable {
  static let gone = MarkSource()

  private let hasLeft = Atomic(false)

  /// Whether the data source no longer exists.
  var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  func leave() { hasLeft.store(true, ordering: .relaxed) }

  static func == (lhs: MarkSource, rhs: MarkSource) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DiffableSnapshot {
  /// Marks items; throws for an unknown item.
  mutating func mark(
    items ids: some Sequence<ItemID>, keepsNodes: Bool, _ call: String = #function
  ) throws(EditError) {
    let ids = Set(ids)
    for id in ids { _ = try path(of: id, call) }
    add(SnapshotMark(ids, keepsNodes: keepsNodes))
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
    add(SnapshotMark(items, sections: ids, keepsNodes: keepsNodes))
  }

  private mutating func add(_ mark: SnapshotMark<SectionID, ItemID>) {
    marks.add(mark, places: places)
  }

  /// A copy without marks, so that they are not applied again where the copy is shown, kept or sent.
  @usableFromInline var withoutMarks: Self {
    var snapshot = self
    snapshot.marks = SnapshotMarks()
    return snapshot
  }
}
