/// The change from one list of sections to another, before it is split into stages.
@usableFromInline
struct SectionedChange: Sendable {
  /// Each section that both lists have, ascending by `from`.
  @usableFromInline let pairs: [Changeset.Move]
  @usableFromInline var operations: ListOperations
}

extension SectionedChange {
  /// Compares the items of each section that both lists have, then joins the remaining items across
  /// sections.
  ///
  /// So an item that two sections show stays in both, and items with equal identifiers pair within
  /// their section first. The moves within a section are as few as possible.
  ///
  /// - Parameters:
  ///   - old: The items of the old sections.
  ///   - new: The items of the new sections.
  ///   - sections: The change of the sections; all that both lists have must be in `updates`.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* items, in sections that do not share their
  ///   storage, of which *k* changed their order.
  @inlinable
  init<Item: Diffable & Equatable & Sendable>(
    from old: [[Item]], to new: [[Item]], sections: Changeset
  ) {
    pairs = sections.updates
    operations = ListOperations(
      sectionDeletes: sections.deletes, sectionInserts: sections.inserts,
      sectionMoves: sections.moves)
    var workspace = Workspace()
    var goes = old.map { _ in [Int]?.none }
    var comes = new.map { _ in [Int]?.none }
    for pair in pairs {
      guard !haveSameStorage(old[pair.from], new[pair.to]) else {
        goes[pair.from] = []
        comes[pair.to] = []
        continue
      }
      let items = unsafe old[pair.from].withUnsafeBufferPointer { oldItems in
        unsafe new[pair.to].withUnsafeBufferPointer { newItems in
          unsafe Changeset(
            from: Rows(oldItems), to: Rows(newItems), keying: ItemKeying(), workspace: &workspace)
        }
      }
      goes[pair.from] = items.deletes
      comes[pair.to] = items.inserts
      let path = { (move: Changeset.Move) in
        ItemPath.Move(
          from: ItemPath(section: pair.from, item: move.from),
          to: ItemPath(section: pair.to, item: move.to))
      }
      operations.itemMoves += items.moves.map(path)
      operations.itemUpdates += items.updates.map(path)
    }
    joinAcrossSections(from: old, goes, to: new, comes, workspace: &workspace)
    operations.itemMoves.sort { $0.from < $1.from }
    operations.itemUpdates.sort { $0.from < $1.from }
  }

  /// Pairs items that leave a section, or were in a deleted one, with items that come to a section.
  @inlinable
  mutating func joinAcrossSections<Item: Diffable & Equatable & Sendable>(
    from old: [[Item]], _ goes: [[Int]?], to new: [[Item]], _ comes: [[Int]?],
    workspace: inout Workspace
  ) {
    let mayMove = Self.hasPaths(goes, of: old) && Self.hasPaths(comes, of: new)
    let leaving = Self.paths(goes, of: old, withWholeSections: mayMove)
    let arriving = Self.paths(comes, of: new, withWholeSections: mayMove)
    guard mayMove else {
      operations.itemDeletes = leaving
      operations.itemInserts = arriving
      return
    }
    var partners = [Int](repeating: -1, count: arriving.count)
    var hash = IdentifierHash<Item.DiffIdentifier>()
    while !workspace.table.join(
      oldCount: leaving.count, newCount: arriving.count, hash: hash,
      oldID: { old[leaving[$0].section][leaving[$0].item].diffIdentifier },
      newID: { new[arriving[$0].section][arriving[$0].item].diffIdentifier },
      pair: { partners[$1] = $0 })
    {
      hash = IdentifierHash(folding: false)
      partners = partners.map { _ in -1 }
    }
    var hasMoved = [Bool](repeating: false, count: leaving.count)
    for (path, partner) in zip(arriving, partners) {
      if partner >= 0 {
        let move = ItemPath.Move(from: leaving[partner], to: path)
        hasMoved[partner] = true
        operations.itemMoves.append(move)
        if old[move.from.section][move.from.item] != new[path.section][path.item] {
          operations.itemUpdates.append(move)
        }
      } else if comes[path.section] != nil {
        operations.itemInserts.append(path)
      }
    }
    for (offset, path) in leaving.enumerated() where !hasMoved[offset] {
      if goes[path.section] != nil { operations.itemDeletes.append(path) }
    }
  }

  /// Whether any offset is given, or a section for which none are given has items.
  @inlinable
  static func hasPaths<Row>(_ items: [[Int]?], of lists: [[Row]]) -> Bool {
    zip(items, lists).contains { named, list in !(named?.isEmpty ?? list.isEmpty) }
  }

  /// The paths of the given offsets, and perhaps of all items of a section for which none are
  /// given.
  @inlinable
  static func paths<Row>(
    _ items: [[Int]?], of lists: [[Row]], withWholeSections isWhole: Bool
  ) -> [ItemPath] {
    var paths: [ItemPath] = []
    for (section, named) in items.enumerated() {
      if let named {
        for item in named { paths.append(ItemPath(section: section, item: item)) }
      } else if isWhole {
        for item in lists[section].indices { paths.append(ItemPath(section: section, item: item)) }
      }
    }
    return paths
  }
}

/// Compares items by their identifier and their content; those of unknown type with one call for both.
@usableFromInline
struct ItemKeying<Item: Diffable & Equatable & Sendable>: RowKeying {
  @inlinable
  init() {}

  @inlinable
  func id(_ row: Item) -> Item.DiffIdentifier { row.diffIdentifier }

  @inlinable
  func isContentEqual(_ old: Item, _ new: Item) -> Bool { old == new }

  /// A compiler that knows `Item` removes the comparison of types.
  @inlinable
  func likeness(_ old: Item, _ new: Item) -> Likeness {
    if Item.self == AnyNodable.self, let old = old as? AnyNodable, let new = new as? AnyNodable {
      return old.likeness(to: new)
    }
    return DiffableKeying().likeness(old, new)
  }
}

/// Whether two arrays share their memory, and so have the same elements.
@inlinable
func haveSameStorage<Element>(_ lhs: [Element], _ rhs: [Element]) -> Bool {
  unsafe lhs.withUnsafeBufferPointer { lhs in
    unsafe rhs.withUnsafeBufferPointer { rhs in
      unsafe lhs.baseAddress == rhs.baseAddress && lhs.count == rhs.count
    }
  }
}
