import Synchronization

/// Where each identifier of a snapshot is: built at the first look-up, shared by copies.
@usableFromInline
final class SnapshotIndex<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Tables = SnapshotTables<SectionID, ItemID>

  private let cache: Mutex<Tables?>

  @usableFromInline
  init() {
    cache = Mutex(nil)
  }

  init(_ tables: Tables?) {
    cache = Mutex(tables)
  }

  /// The tables, if there was a look-up already.
  @usableFromInline
  var tables: Tables? { cache.withLock { $0 } }

  @usableFromInline
  func store(_ tables: Tables) {
    cache.withLock { $0 = tables }
  }

  /// The tables, for a copy of the snapshot that is about to be edited: from now on both note their edits.
  func share() -> Tables? {
    cache.withLock { tables in
      tables?.isShared = true
      return tables
    }
  }

  /// Takes the tables out, so that they can be changed in place.
  func take() -> Tables? {
    cache.withLock { tables in
      defer { tables = nil }
      return tables
    }
  }
}

/// The place of each identifier when the tables were built, and what was edited since.
///
/// An edit changes little: the tables of a snapshot and of its edited copy share all the rest.
@usableFromInline
struct SnapshotTables<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// A section's number, which it keeps wherever it moves, and where the item was in it once.
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
  /// By number, the offset of each section; -1 if it is gone.
  @usableFromInline var offsets: [Int] = []
  /// The place of each item; for shared tables, when they began to be shared.
  @usableFromInline var items: [ItemID: Place] = [:]
  /// How many items there were when the tables were built.
  @usableFromInline var builtCount = 0
  /// Whether tables of another snapshot share `items`, which are not changed any more then.
  var isShared = false
  /// The items that came, moved to another section or went since then; a nil value is one that is gone.
  @usableFromInline var edits = PersistentMap<ItemID, Place?>()
  /// Whether an identifier was there twice.
  ///
  /// Then an edit might uncover the second one, and edits build
  /// the tables anew.
  @usableFromInline var hasDuplicates = false

  @inlinable
  init() {}

  /// Adds a section at the end of the list; of several with one identifier, the first counts.
  @inlinable
  mutating func addSection(_ id: SectionID, at offset: Int) {
    if sections[id] == nil {
      sections[id] = offsets.count
    } else {
      hasDuplicates = true
    }
    offsets.append(offset)
  }

  /// The place of an item, perhaps in a section that is gone.
  @inlinable
  func place(of id: ItemID) -> Place? {
    if !edits.isEmpty, let edit = edits[id] { return edit }
    return items[id]
  }

  mutating func set(_ place: Place?, for id: ItemID) {
    if isShared {
      edits.updateValue(place, forKey: id)
    } else {
      items[id] = place
    }
  }
}

extension DiffableSnapshot {
  @usableFromInline typealias Tables = SnapshotTables<SectionID, ItemID>

  /// The index's tables, built if need be.
  ///
  /// Identifiers are hashed outside the lock: two first look-ups at once build the same tables twice.
  @inlinable
  var tables: Tables {
    if let tables = index.tables { return tables }
    var tables = Tables()
    tables.items.reserveCapacity(numberOfItems)
    for offset in sections.indices.reversed() {
      // Of several with one identifier, the first counts, which is the last to be set.
      let items = sections[offset].items
      for item in items.indices.reversed() {
        tables.items[items[item].diffIdentifier] = Tables.Place(section: offset, hint: item)
      }
    }
    tables.builtCount = tables.items.count
    tables.hasDuplicates = tables.items.count < numberOfItems
    tables.offsets.reserveCapacity(sections.count)
    for offset in sections.indices {
      tables.addSection(sections[offset].diffIdentifier, at: offset)
    }
    index.store(tables)
    return tables
  }

  /// Changes the tables along with an edit, in place unless a copy of the snapshot shares them.
  mutating func updateTables(_ change: (inout Tables) -> Void) {
    let isOwnedAlone = isKnownUniquelyReferenced(&index)
    var tables = isOwnedAlone ? index.take() : index.share()
    // Beyond that, the tables would remember more of what is gone than of what is there.
    if let known = tables,
      known.hasDuplicates || known.items.count + known.edits.count > 3 * known.builtCount + 100_000
        || known.offsets.count > 4 * sections.count + 1_000
    {
      tables = nil
    }
    if var changed = tables.take() {
      change(&changed)
      tables = changed
    }
    if isOwnedAlone, let tables {
      index.store(tables)
    } else {
      index = SnapshotIndex(tables)
    }
  }
}
