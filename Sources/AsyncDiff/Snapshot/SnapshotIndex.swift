public import Synchronization

/// The places of a snapshot's identifiers: built by the first look-up, shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  @usableFromInline let cache: Mutex<SnapshotTables<SectionID, ItemID>?>

  @inlinable
  init(_ tables: SnapshotTables<SectionID, ItemID>? = nil) {
    cache = Mutex(tables)
  }

  /// The tables; `nil` before the first look-up.
  @inlinable
  var tables: SnapshotTables<SectionID, ItemID>? { cache.withLock { $0 } }

  /// The tables, for an edit of a snapshot.
  ///
  /// They are taken out, so that they can be changed in place. If another copy of the snapshot has them, too, both
  /// copies log their edits from now on.
  @inlinable
  func tablesToEdit(isShared: Bool) -> SnapshotTables<SectionID, ItemID>? {
    cache.withLock { tables in
      guard isShared else {
        defer { tables = nil }
        return tables
      }
      tables?.isShared = true
      return tables
    }
  }
}

/// The place of each identifier when the tables were built, and the edits since then.
///
/// An edit changes little: a snapshot and its edited copy share the rest of their tables.
@usableFromInline
struct SnapshotTables<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The place of an item: its section's number, which never changes, and an earlier offset in that
  /// section.
  @usableFromInline
  struct Place: Sendable {
    @usableFromInline var section: Int32
    @usableFromInline var hint: Int32

    @inlinable
    init(section: Int, hint: Int) {
      self.section = Int32(truncatingIfNeeded: section)
      self.hint = Int32(truncatingIfNeeded: hint)
    }
  }

  /// The number of each section.
  @usableFromInline var sections: [SectionID: Int] = [:]
  /// The offset of each section, by its number; -1 if the section is gone.
  @usableFromInline var offsets: [Int] = []
  /// The place of each item; for shared tables, when they began to be shared.
  @usableFromInline var items: [ItemID: Place] = [:]
  /// How many items there were when the tables were built.
  var builtCount = 0
  /// Whether the tables of another snapshot share `items`, which do not change any more then.
  @usableFromInline var isShared = false
  /// The items that were inserted, moved to another section or removed since then; nil for a removed
  /// one.
  private var edits = PersistentMap<ItemID, Place?>()
  /// The identifiers that several items had when the tables were built: these are searched for, because
  /// an edit may make another item the first.
  @usableFromInline var duplicates: Set<ItemID> = []
  /// Whether two sections had one identifier; then an edit drops the tables.
  private var hasEqualSections = false

  /// Adds a section with the next number; if several have one identifier, the first counts.
  mutating func addSection(_ id: SectionID, at offset: Int) {
    if sections[id] == nil {
      sections[id] = offsets.count
    } else {
      hasEqualSections = true
    }
    offsets.append(offset)
  }

  /// The place of an item, whose section may be gone.
  @inlinable
  func place(of id: ItemID) -> Place? {
    if isShared, let edit = edit(of: id) { return edit }
    return items[id]
  }

  @usableFromInline
  func edit(of id: ItemID) -> Place?? { edits.count == 0 ? nil : edits[id] }

  @usableFromInline
  mutating func note(_ place: Place?, for id: ItemID) { edits.updateValue(place, forKey: id) }

  /// Whether an edit should drop the tables: they have sections with one identifier, or more entries for
  /// what is gone than for what is there.
  @usableFromInline
  func isOutdated(sectionCount: Int) -> Bool {
    hasEqualSections || items.count + edits.count > 3 * builtCount + 100_000
      || offsets.count > 4 * sectionCount + 1_000
  }

  @inlinable
  mutating func set(_ place: Place?, for id: ItemID) {
    if isShared {
      note(place, for: id)
    } else {
      items[id] = place
    }
  }
}

extension DiffableSnapshot {
  @usableFromInline typealias Tables = SnapshotTables<SectionID, ItemID>

  /// The index's tables; builds them if there are none.
  ///
  /// Identifiers are hashed outside the lock: two concurrent first look-ups build the same tables
  /// twice.
  @inlinable
  var tables: Tables {
    if let tables = index.tables { return tables }
    var places: [ItemID: Tables.Place] = [:]
    places.reserveCapacity(numberOfItems)
    for offset in sections.indices.reversed() {
      // If several items have one identifier, the first counts, which is set last here.
      let items = sections[offset].rows
      for item in items.indices.reversed() {
        let id = items[item].diffIdentifier
        requireIdentity(id)
        places[id] = Tables.Place(section: offset, hint: item)
      }
    }
    return storeTables(of: places)
  }

  @usableFromInline
  func storeTables(of places: [ItemID: Tables.Place]) -> Tables {
    var tables = Tables()
    tables.items = places
    tables.builtCount = places.count
    if places.count < numberOfItems {
      var seen: Set<ItemID> = []
      for item in sections.lazy.flatMap({ $0.rows })
      where !seen.insert(item.diffIdentifier).inserted {
        tables.duplicates.insert(item.diffIdentifier)
      }
    }
    tables.offsets.reserveCapacity(sections.count)
    for offset in sections.indices {
      tables.addSection(sections[offset].diffIdentifier, at: offset)
    }
    index.cache.withLock { $0 = tables }
    return tables
  }

  /// Updates the tables after an edit, in place unless a copy of the snapshot shares them.
  @inlinable
  mutating func updateTables(_ change: (inout Tables) -> Void) {
    let isOwnedAlone = isKnownUniquelyReferenced(&index)
    guard var tables = index.tablesToEdit(isShared: !isOwnedAlone),
      !tables.isOutdated(sectionCount: sections.count)
    else {
      index = SnapshotIndex()
      return
    }
    change(&tables)
    index = SnapshotIndex(tables)
  }
}
