import Synchronization

/// Where each identifier of a snapshot is: built at the first look-up, shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private let cache = Mutex<SnapshotTables<SectionID, ItemID>?>(nil)

  @usableFromInline
  init(_ tables: SnapshotTables<SectionID, ItemID>? = nil) {
    if let tables { store(tables) }
  }

  /// The tables, if there was a look-up already.
  @usableFromInline
  var tables: SnapshotTables<SectionID, ItemID>? { cache.withLock { $0 } }

  @usableFromInline
  func store(_ tables: SnapshotTables<SectionID, ItemID>) {
    cache.withLock { $0 = tables }
  }

  /// Takes the tables out, to be extended and put into another index; a copy of the snapshot that
  /// shares this one builds its own when it needs them.
  func take() -> SnapshotTables<SectionID, ItemID>? {
    cache.withLock { tables in
      defer { tables = nil }
      return tables
    }
  }
}

/// The first place of each identifier.
@usableFromInline
struct SnapshotTables<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  @usableFromInline var sections: [SectionID: Int] = [:]
  @usableFromInline var items: [ItemID: ItemPath] = [:]

  @inlinable
  init() {}

  @inlinable
  mutating func addSection(_ id: SectionID, at offset: Int) {
    if sections[id] == nil { sections[id] = offset }
  }

  /// Adds items that stand in a row.
  @inlinable
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

extension DiffableSnapshot {
  /// The index's tables, built if need be.
  ///
  /// Identifiers are hashed outside the lock: two first look-ups at once build the same tables twice.
  @inlinable
  var tables: SnapshotTables<SectionID, ItemID> {
    if let tables = index.tables { return tables }
    var tables = SnapshotTables<SectionID, ItemID>()
    tables.items.reserveCapacity(numberOfItems)
    for offset in sections.indices {
      tables.addSection(sections[offset].diffIdentifier, at: offset)
      tables.addItems(lists[offset], from: ItemPath(section: offset, item: 0))
    }
    index.store(tables)
    return tables
  }
}
