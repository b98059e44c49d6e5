public import Synchronization

/// The paths of a snapshot's identifiers, computed by the first lookup and shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// For each identifier, the offset of the first section or the path of the first item that has it.
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
    // If another thread was faster, its paths stay, so no identifiers are released under the lock.
    index.made.withLock { [places] in if $0 == nil { $0 = places } }
    return places
  }

  /// Whether several items have the same identifier.
  var hasRepeatedItems: Bool { places.items.count < numberOfItems }

  /// Returns the path of an item of this snapshot in another snapshot, or `nil` if either snapshot does not have the item.
  ///
  /// If several sections of `other` have the item, the method prefers the section that has it at `path` in this snapshot. If that
  /// section does not have the item in `other`, the method returns the item's first path.
  package func path(of path: ItemPath, in other: Self) -> ItemPath? {
    guard let id = itemIfPresent(at: path)?.diffIdentifier else { return nil }
    let section = sections[path.section].diffIdentifier
    if other.itemIfPresent(at: path)?.diffIdentifier == id,
      other.sections[path.section].diffIdentifier == section
    {
      return path
    }
    let first = other.path(ofItem: id)
    guard first != nil, other.hasRepeatedItems, let offset = other.index(ofSection: section),
      let item = other.sections[offset].rows.firstIndex(where: { $0.diffIdentifier == id })
    else { return first }
    return ItemPath(section: offset, item: item)
  }

  /// Edits the sections; the next lookup computes the paths again.
  mutating func edit(_ body: (inout [ShownSection<Section>]) -> Void) {
    body(&shown)
    index = SnapshotIndex()
  }
}
