/// The change from one list of sections to another, before it is split into stages.
@usableFromInline
struct SectionedChange: Sendable {
  /// The change of the sections; its updates are those that both lists have and that may differ.
  @usableFromInline var sections: Changeset
  @usableFromInline var operations: ListOperations
}

extension SectionedChange {
  /// Compares the items of each section that may differ, then joins the remaining items across sections.
  ///
  /// So an item that two sections show stays in both, and items with equal identifiers pair within
  /// their section first. The moves within a section are as few as possible.
  ///
  /// - Parameters:
  ///   - old: The old sections.
  ///   - new: The new sections.
  ///   - sections: The change of the sections; those that both lists have and that may differ are its
  ///     updates.
  ///   - least: The fewest rows that two trees share and that are not compared.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* items, in sections that may differ, of which
  ///   *k* changed their order; O(*k* log *n*) for sections that are trees.
  @inlinable
  init<Section: SectionInflator>(
    from old: [ShownSection<Section>], to new: [ShownSection<Section>], sections: Changeset,
    least: Int = 0
  ) {
    self.sections = sections
    operations = ListOperations(
      sectionDeletes: sections.deletes, sectionInserts: sections.inserts,
      sectionMoves: sections.moves)
    var workspace = Workspace.take()
    // Nil for sections that only one list has.
    var goes = [[Int]?](repeating: [], count: old.count)
    var comes = [[Int]?](repeating: [], count: new.count)
    for section in sections.deletes { goes[section] = nil }
    for section in sections.inserts { comes[section] = nil }
    var runs = SharedRuns()
    var parts: [(start: Changeset.Move, old: Int, new: Int)] = []
    for pair in sections.updates {
      var (deletes, inserts): ([Int], [Int]) = ([], [])
      parts.removeAll(keepingCapacity: true)
      new[pair.to].rows.forEachBlock(since: old[pair.from].rows, least: least) { start, old, new in
        let items = unsafe old.withUnsafeBufferPointer { old in
          unsafe new.withUnsafeBufferPointer { new in
            unsafe Changeset(
              from: Rows(old), to: Rows(new), keying: ItemKeying(), workspace: &workspace)
          }
        }
        add(items, of: start, in: pair, &deletes, &inserts)
        parts.append((start, old.count, new.count))
      }
      if parts.count > 1 { runs.add(pair, parts) }
      goes[pair.from] = deletes
      comes[pair.to] = inserts
    }
    let moves = joinAcrossSections(from: old, goes, to: new, comes, workspace: &workspace)
    workspace.leave()
    let needed = runs.leastLength(for: moves)
    guard needed <= least else {
      self = SectionedChange(from: old, to: new, sections: sections, least: needed)
      return
    }
    operations.itemMoves += moves
    operations.itemMoves.sort { $0.from < $1.from }
    operations.itemUpdates.sort { $0.from < $1.from }
  }

  /// Adds what changes in a part of two sections; the deletes and inserts are still to be joined.
  @usableFromInline
  mutating func add(
    _ items: Changeset, of start: Changeset.Move, in pair: Changeset.Move,
    _ deletes: inout [Int], _ inserts: inout [Int]
  ) {
    if start.from == 0, start.to == 0 {
      (deletes, inserts) = (items.deletes, items.inserts)
    } else {
      deletes += items.deletes.map { start.from + $0 }
      inserts += items.inserts.map { start.to + $0 }
    }
    let path = { (move: Changeset.Move) in
      ItemPath.Move(
        from: ItemPath(section: pair.from, item: start.from + move.from),
        to: ItemPath(section: pair.to, item: start.to + move.to))
    }
    operations.itemMoves += items.moves.map(path)
    operations.itemUpdates += items.updates.map(path)
  }

  /// Pairs items that leave a section, or were in a deleted one, with items that come to a section;
  /// returns these pairs.
  @inlinable
  mutating func joinAcrossSections<Section: SectionInflator>(
    from old: [ShownSection<Section>], _ goes: [[Int]?], to new: [ShownSection<Section>],
    _ comes: [[Int]?], workspace: inout Workspace
  ) -> [ItemPath.Move] {
    let mayMove = Self.hasPaths(goes, of: old) && Self.hasPaths(comes, of: new)
    let leaving = Self.paths(goes, of: old, withWholeSections: mayMove)
    let arriving = Self.paths(comes, of: new, withWholeSections: mayMove)
    guard mayMove else {
      operations.itemDeletes = leaving
      operations.itemInserts = arriving
      return []
    }
    var moves: [ItemPath.Move] = []
    // What is an array is read as one: this loop is long where many rows come and go.
    let (oldArrays, newArrays) = (
      Self.arrays(of: old, with: leaving), Self.arrays(of: new, with: arriving)
    )
    func oldItem(_ path: ItemPath) -> Section.Item {
      oldArrays[path.section].isEmpty
        ? old[path.section].rows[path.item] : oldArrays[path.section][path.item]
    }
    func newItem(_ path: ItemPath) -> Section.Item {
      newArrays[path.section].isEmpty
        ? new[path.section].rows[path.item] : newArrays[path.section][path.item]
    }
    workspace.joinByTable(
      oldCount: leaving.count, newCount: arriving.count,
      oldID: { oldItem(leaving[$0]).diffIdentifier },
      newID: { newItem(arriving[$0]).diffIdentifier })
    for (place, path) in arriving.enumerated() {
      let partner = Int(workspace.oldOffsets[place])
      if partner >= 0 {
        let move = ItemPath.Move(from: leaving[partner], to: path)
        moves.append(move)
        if oldItem(move.from) != newItem(path) {
          operations.itemUpdates.append(move)
        }
      } else if comes[path.section] != nil {
        operations.itemInserts.append(path)
      }
    }
    for (place, path) in leaving.enumerated() where workspace.newOffsets[place] < 0 {
      if goes[path.section] != nil { operations.itemDeletes.append(path) }
    }
    return moves
  }

  /// The rows of the sections with some paths that are stored as arrays.
  @inlinable
  static func arrays<Section: SectionInflator>(
    of sections: [ShownSection<Section>], with paths: [ItemPath]
  ) -> [[Section.Item]] {
    var arrays = [[Section.Item]](repeating: [], count: sections.count)
    for path in paths where arrays[path.section].isEmpty {
      arrays[path.section] = sections[path.section].rows.array
    }
    return arrays
  }

  /// Whether any offset is given, or a section for which none are given has items.
  @inlinable
  static func hasPaths<Section: SectionInflator>(
    _ items: [[Int]?], of sections: [ShownSection<Section>]
  ) -> Bool {
    items.indices.contains { !(items[$0]?.isEmpty ?? sections[$0].rows.isEmpty) }
  }

  /// The paths of the given offsets, and perhaps of all items of a section for which none are
  /// given.
  @inlinable
  static func paths<Section: SectionInflator>(
    _ items: [[Int]?], of sections: [ShownSection<Section>], withWholeSections isWhole: Bool
  ) -> [ItemPath] {
    var paths: [ItemPath] = []
    paths.reserveCapacity(
      items.indices.reduce(0) {
        $0 + (items[$1]?.count ?? (isWhole ? sections[$1].rows.count : 0))
      })
    for (section, named) in items.enumerated() {
      if let named {
        for item in named { paths.append(ItemPath(section: section, item: item)) }
      } else if isWhole {
        for item in 0..<sections[section].rows.count {
          paths.append(ItemPath(section: section, item: item))
        }
      }
    }
    return paths
  }
}

/// Compares sections by their identifier; those that share the storage of their rows, and have an equal content,
/// do not differ.
@usableFromInline
struct SectionKeying<Section: SectionInflator>: RowKeying {
  @inlinable
  init() {}

  @inlinable
  func id(_ section: ShownSection<Section>) -> Section.DiffIdentifier { section.diffIdentifier }

  @inlinable
  func isContentEqual(_ old: ShownSection<Section>, _ new: ShownSection<Section>) -> Bool {
    old.rows.hasStorage(of: new.rows) && old.content == new.content
  }
}

/// Compares items by their identifier and their content; those of unknown type with one call for both.
@usableFromInline
struct ItemKeying<Item: Diffable & Equatable & Sendable>: RowKeying {
  @inlinable
  init() {}

  /// A compiler that knows `Item` removes the comparison of types.
  @inlinable
  func likeness(_ old: Item, _ new: Item) -> Likeness {
    if Item.self == AnyNodable.self, let old = old as? AnyNodable, let new = new as? AnyNodable {
      return old.likeness(to: new)
    }
    return DiffableKeying().likeness(old, new)
  }
}

/// The rows between the parts in which two trees are compared: they are taken to stay.
///
/// That needs more moves than there must be if many rows cross a few: then these should move. While
/// each run of such rows is at least as long as the number of rows that cross it, no choice has fewer
/// moves: to move a run costs its length, and saves at most those that cross it.
@usableFromInline
struct SharedRuns {
  private var pairs: [(pair: Changeset.Move, runs: [(start: Changeset.Move, count: Int)])] = []

  @usableFromInline
  init() {}

  /// Adds what is between the parts of two sections, which are given by their starts and lengths.
  @usableFromInline
  mutating func add(
    _ pair: Changeset.Move, _ parts: [(start: Changeset.Move, old: Int, new: Int)]
  ) {
    let runs = zip(parts, parts.dropFirst()).map { before, next in
      let start = Changeset.Move(
        from: before.start.from + before.old, to: before.start.to + before.new)
      return (start, next.start.from - start.from)
    }
    pairs.append((pair, runs))
  }

  /// The length that runs need to stay, if one is crossed by more rows than it has; else 0.
  @usableFromInline
  func leastLength(for moves: [ItemPath.Move]) -> Int {
    var least = 0
    for (pair, runs) in moves.isEmpty ? [] : pairs {
      // How many more rows cross a run than cross the one before it.
      var changes = [Int](repeating: 0, count: runs.count + 1)
      for move in moves where move.from.section == pair.from && move.to.section == pair.to {
        let before = partitionPoint(0..<runs.count) { runs[$0].start.from > move.from.item }
        let after = partitionPoint(0..<runs.count) { runs[$0].start.to > move.to.item }
        changes[min(before, after)] += 1
        changes[max(before, after)] -= 1
      }
      var crossing = 0
      for (run, change) in zip(runs, changes) {
        crossing += change
        if crossing > run.count { least = max(least, crossing) }
      }
    }
    return least
  }
}
