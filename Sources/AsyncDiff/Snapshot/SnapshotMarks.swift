import Synchronization

/// The items and sections that a snapshot marks to be drawn anew, even if their content is equal.
///
/// A mark makes the item or section an update of the next batch. A reloaded item gets a new node, a
/// reconfigured one keeps its node. A data source carries each mark out once, although a marked
/// snapshot is a value that may be copied anywhere: marks are grouped, and all copies of a group
/// share its ticket.
struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  var groups: [MarkGroup<SectionID, ItemID>] = []

  var isEmpty: Bool { groups.isEmpty }

  /// Adds marks to the last group; makes a new group if that one is shared or was carried out.
  mutating func add(_ change: (inout MarkGroup<SectionID, ItemID>) -> Void) {
    if let last = groups.indices.last, groups[last].isOwnedAlone() {
      return change(&groups[last])
    }
    // A group that was carried out is needed only if several data sources show one snapshot.
    if groups.count >= 8 { groups.removeAll { $0.ticket.isCarriedOut } }
    var group = MarkGroup<SectionID, ItemID>()
    change(&group)
    groups.append(group)
  }

  /// Adds the groups of an older snapshot that this one does not have; an edited copy has most.
  ///
  /// - Complexity: O(groups).
  mutating func absorb(_ older: Self) {
    guard !older.isEmpty else { return }
    let known = Set(groups.map(\.id))
    groups.append(contentsOf: older.groups.filter { !known.contains($0.id) })
  }

  /// The groups that a data source has not carried out.
  func pending(for source: MarkTicket.Source) -> Self {
    var marks = self
    marks.groups.removeAll { $0.ticket.isCarriedOut(by: source) }
    return marks
  }

  /// Marks all groups as carried out by a data source.
  func carryOut(by source: MarkTicket.Source) {
    for group in groups { group.ticket.carryOut(by: source) }
  }

  var items: Set<ItemID> {
    groups.reduce(into: []) { $0.formUnion($1.reloaded.union($1.reconfigured)) }
  }

  var sections: Set<SectionID> { groups.reduce(into: []) { $0.formUnion($1.sections) } }

  /// The items that keep their node although they are updated.
  var keptNodes: Set<ItemID> {
    let kept = groups.reduce(into: Set<ItemID>()) { $0.formUnion($1.reconfigured) }
    return kept.isEmpty ? kept : groups.reduce(kept) { $0.subtracting($1.reloaded) }
  }
}

/// Marks that are carried out together.
struct MarkGroup<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  var reloaded: Set<ItemID> = []
  var reconfigured: Set<ItemID> = []
  var sections: Set<SectionID> = []
  fileprivate var ticket = MarkTicket()

  fileprivate var id: ObjectIdentifier { ObjectIdentifier(ticket) }

  fileprivate mutating func isOwnedAlone() -> Bool {
    isKnownUniquelyReferenced(&ticket) && !ticket.isCarriedOut
  }
}

/// The data sources that have carried a group of marks out.
final class MarkTicket: Sendable {
  /// The number of a data source.
  typealias Source = UInt64

  private let sources = Mutex<[Source]>([])

  var isCarriedOut: Bool { sources.withLock { !$0.isEmpty } }

  func isCarriedOut(by source: Source) -> Bool { sources.withLock { $0.contains(source) } }

  func carryOut(by source: Source) {
    sources.withLock { sources in
      if !sources.contains(source) { sources.append(source) }
    }
  }

  private static let lastSource = Atomic<Source>(0)

  /// A number that no data source had before.
  static func newSource() -> Source { lastSource.add(1, ordering: .relaxed).newValue }
}

extension DiffableSnapshot {
  typealias MarkedItems = WritableKeyPath<MarkGroup<SectionID, ItemID>, Set<ItemID>>

  /// Marks items that must be there.
  mutating func mark(
    items ids: some Sequence<ItemID>, _ kind: MarkedItems, _ call: String = #function
  ) throws(EditError) {
    let ids = Set(ids)
    for id in ids { _ = try path(of: id, call) }
    marks.add { $0[keyPath: kind].formUnion(ids) }
  }

  /// Marks sections that must be there, with all their items.
  mutating func mark(
    sections ids: some Sequence<SectionID>, _ kind: MarkedItems, _ call: String = #function
  ) throws(EditError) {
    let ids = Set(ids)
    var items: Set<ItemID> = []
    for id in ids {
      items.formUnion(sections[try offset(ofSection: id, call)].items.map(\.diffIdentifier))
    }
    marks.add { marks in
      marks.sections.formUnion(ids)
      marks[keyPath: kind].formUnion(items)
    }
  }

  /// A copy without marks: a mark is carried out once, so what is shown has none.
  var withoutMarks: Self {
    var snapshot = self
    snapshot.marks = SnapshotMarks()
    return snapshot
  }
}
