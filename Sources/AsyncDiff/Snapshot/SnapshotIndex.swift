public import Synchronization

/// The places of a snapshot's identifiers: made by the first look-up, shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// Of several with one identifier the first counts.
  @usableFromInline
  typealias Places = (sections: [SectionID: Int], items: [ItemID: ItemPath])

  @usableFromInline let made = Mutex<Places?>(nil)

  @inlinable
  init() {}
}

extension DiffableSnapshot {
  @usableFromInline typealias Index = SnapshotIndex<SectionID, ItemID>

  /// The places of the identifiers; found outside the lock by the first who asks.
  @inlinable
  var places: Index.Places {
    if let places = index.made.withLock({ $0 }) { return places }
    var places: Index.Places = ([:], [:])
    places.items.reserveCapacity(sections.reduce(0) { $0 + $1.rows.count })
    // In reverse, so that the first of several is set last.
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

  /// Edits the sections; the next look-up finds the places anew.
  @inlinable
  mutating func edit(_ body: (inout [ShownSection<Section>]) -> Void) {
    body(&shown)
    index = SnapshotIndex()
  }
}
