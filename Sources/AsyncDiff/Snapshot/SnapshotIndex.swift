import Synchronization

/// Where each identifier of a snapshot is: built at the first look-up, shared by copies.
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  struct Tables: Sendable {
    var sections: [SectionID: Int] = [:]
    var items: [ItemID: ItemPath] = [:]
  }

  private let cache = Mutex<Tables?>(nil)

  /// The tables of a snapshot that owns this index.
  ///
  /// Identifiers are hashed outside the lock: two first look-ups at once build the same tables twice.
  func tables<Section>(of snapshot: DiffableSnapshot<Section>) -> Tables
  where Section.DiffIdentifier == SectionID, Section.Item.DiffIdentifier == ItemID {
    if let tables = cache.withLock({ $0 }) { return tables }
    var tables = Tables()
    tables.items.reserveCapacity(snapshot.numberOfItems)
    for (offset, section) in snapshot.sections.enumerated() {
      tables.addSection(section.diffIdentifier, at: offset)
      tables.addItems(
        snapshot.itemLists[offset], from: ItemPath(section: offset, item: 0))
    }
    cache.withLock { [tables] in $0 = tables }
    return tables
  }

  /// Takes the tables out, to be extended and put into another index; a copy of the snapshot that
  /// shares this one builds its own when it needs them.
  func take() -> Tables? {
    cache.withLock { tables in
      defer { tables = nil }
      return tables
    }
  }

  init(_ tables: Tables? = nil) {
    if let tables { cache.withLock { $0 = tables } }
  }
}

extension SnapshotIndex.Tables {
  /// Adds a section; the first with an identifier keeps it.
  mutating func addSection(_ id: SectionID, at offset: Int) {
    if sections[id] == nil { sections[id] = offset }
  }

  /// Adds items that stand in a row; the first with an identifier keeps it.
  mutating func addItems<Item: Diffable>(_ list: [Item], from start: ItemPath)
  where Item.DiffIdentifier == ItemID {
    var path = start
    for item in list {
      let id = item.diffIdentifier
      if items[id] == nil { items[id] = path }
      path.item += 1
    }
  }
}
