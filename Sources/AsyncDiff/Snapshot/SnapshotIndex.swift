public import Synchronization

/// The paths of a snapshot's identifiers, computed by the first lookup and shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// If several sections or items share an identifier, the first one wins.
  @usableFromInline
  typealias Places = (sections: [SectionID: Int], items: [ItemID: ItemPath])

  @usableFromInline let made = Mutex<Places?>(nil)
}

extension DiffableSnapshot {
  /// The paths, computed on first use outside the lock; several threads may compute them at the same time.
  @inlinable
  var places: SnapshotIndex<SectionID, ItemID>.Places {
    if let places = index.made.withLock({ $0 }) { return places }
    var places: SnapshotIndex<SectionID, ItemID>.Places = ([:], [:])
    places.items.reserveCapacity(sections.reduce(0) { $0 + $1.rows.count })
    // In reverse order, so that the first of several equal identifiers is stored last and wins.
    for section in sections.indices.reversed() {
      places.sections[sections[section].diffIdentifier] = section
      let rows = sections[section].rows
      for item in rows.indices.reversed() {
        let id = rows[item].diffIdentifier
        requireIdentity(id)
        places.items[id] = ItemPath(section: section, item: item)
      }
    }
    index.made.withLock { [places] in $0 = places }
    return places
  }

  /// Edits the sections; the next lookup computes the paths again.
  mutating func edit(_ body: (inout [ShownSection<Section>]) -> Void) {
    body(&shown)
    index = SnapshotIndex()
  }
}
