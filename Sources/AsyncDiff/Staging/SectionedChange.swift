/// The change from one list of sections to another, before it is split into stages.
@usableFromInline
struct SectionedChange: Sendable {
  /// The changeset of the list of sections.
  ///
  /// Its updates are the sections that exist in both lists and may have changed.
  let sections: Changeset
  @usableFromInline var operations: ListOperations
  private var runs = SharedRuns()

  @usableFromInline
  init(_ sections: Changeset) {
    self.sections = sections
    operations = ListOperations(
      sectionDeletes: sections.deletes, sectionInserts: sections.inserts,
      sectionMoves: sections.moves)
  }
}

extension SectionedChange {
  /// A differing part of two sections: its changes, the old and new offset of its first row, and its old and new number of rows.
  @usableFromInline
  typealias Part = (items: Changeset, start: Changeset.Move, oldCount: Int, newCount: Int)

  /// Compares the items of each surviving section, then pairs the remaining items across sections.
  ///
  /// Items with equal identifiers are therefore paired within their section first, and an item that two sections show
  /// stays in both. The number of moves within a section is as small as possible.
  ///
  /// - Parameters:
  ///   - old: The old sections, with the number of rows in each.
  ///   - new: The new sections, with the number of rows in each.
  ///   - sections: The change of the sections; its updates are the surviving sections that may differ.
  ///   - least: A run of rows that two trees share is skipped if it has at least `least` rows.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* items in sections that may differ, if *k* of these items
  ///   changed their order; O(*k* log *n*) for sections that are trees.
  @inlinable
  init<Section: SectionInflator>(
    from old: (sections: [ShownSection<Section>], counts: [Int]),
    to new: (sections: [ShownSection<Section>], counts: [Int]), sections: Changeset, least: Int = 0
  ) {
    self.init(sections)
    var workspace = Workspace.take()
    // `nil` for sections that only one list has.
    var leaving = [[Int]?](repeating: [], count: old.counts.count)
    var arriving = [[Int]?](repeating: [], count: new.counts.count)
    for section in sections.deletes { leaving[section] = nil }
    for section in sections.inserts { arriving[section] = nil }
    var parts: [Part] = []
    var moves: [ItemPath.Move] = []
    for pair in sections.updates {
      parts.removeAll(keepingCapacity: true)
      let rows = (old: old.sections[pair.from].rows, new: new.sections[pair.to].rows)
      rows.new.forEachBlock(since: rows.old, least: least) { start, old, new in
        let items = unsafe old.withUnsafeBufferPointer { old in
          unsafe new.withUnsafeBufferPointer { new in
            unsafe Changeset(
              from: RowBuffer(old), to: RowBuffer(new), keying: ItemKeying(), workspace: &workspace)
          }
        }
        parts.append((items, start, old.count, new.count))
      }
      var (deletes, inserts) = add(parts, of: pair)
      if parts.count > 1, !deletes.isEmpty, !inserts.isEmpty {
        moves += joinParts(
          of: pair, rows.old, &deletes, rows.new, &inserts, workspace: &workspace)
      }
      (leaving[pair.from], arriving[pair.to]) = (deletes, inserts)
    }
    moves += joinAcrossSections(from: old, leaving, to: new, arriving, workspace: &workspace)
    workspace.leave()
    let needed = finish(moves)
    if needed > least {
      self = SectionedChange(from: old, to: new, sections: sections, least: needed)
    }
  }

  /// Adds the changes between two versions of a section; returns the deletes and inserts, which are paired later.
  @usableFromInline
  mutating func add(_ parts: [Part], of pair: Changeset.Move) -> ([Int], [Int]) {
    if parts.count > 1 { runs.add(pair, parts) }
    var (deletes, inserts): ([Int], [Int]) = ([], [])
    for (items, start, _, _) in parts {
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
    return (deletes, inserts)
  }

  /// Adds the moves across sections; returns the minimum length of a shared run that may stay in place, or 0 if all runs may
  /// stay.
  @usableFromInline
  mutating func finish(_ moves: [ItemPath.Move]) -> Int {
    operations.itemMoves += moves
    operations.itemMoves.sort { $0.from < $1.from }
    operations.itemUpdates.sort { $0.from < $1.from }
    return runs.leastLength(for: moves)
  }

  /// Pairs the items that leave one part of a section and enter another part of it, and returns the pairs as moves.
  @inlinable
  mutating func joinParts<Item: Diffable & Equatable & Sendable>(
    of pair: Changeset.Move, _ old: ShownRows<Item>, _ deletes: inout [Int],
    _ new: ShownRows<Item>, _ inserts: inout [Int], workspace: inout Workspace
  ) -> [ItemPath.Move] {
    let leaving = deletes.map { ItemPath(section: pair.from, item: $0) }
    let arriving = inserts.map { ItemPath(section: pair.to, item: $0) }
    let moves = join(
      leaving, { old[$0.item] }, arriving, { new[$0.item] }, workspace: &workspace)
    deletes = deletes.indices.filter { workspace.newOffsets[$0] < 0 }.map { deletes[$0] }
    inserts = inserts.indices.filter { workspace.oldOffsets[$0] < 0 }.map { inserts[$0] }
    return moves
  }

  /// Pairs items that leave with items that arrive, and returns the pairs as moves; adds an update for each pair that differs.
  @inlinable
  mutating func join<Item: Diffable & Equatable>(
    _ leaving: [ItemPath], _ oldItem: (ItemPath) -> Item,
    _ arriving: [ItemPath], _ newItem: (ItemPath) -> Item, workspace: inout Workspace
  ) -> [ItemPath.Move] {
    workspace.joinByTable(
      oldCount: leaving.count, newCount: arriving.count,
      oldID: { oldItem(leaving[$0]).diffIdentifier },
      newID: { newItem(arriving[$0]).diffIdentifier })
    var moves: [ItemPath.Move] = []
    for (place, path) in arriving.enumerated() {
      let partner = Int(workspace.oldOffsets[place])
      guard partner >= 0 else { continue }
      let move = ItemPath.Move(from: leaving[partner], to: path)
      moves.append(move)
      if oldItem(move.from) != newItem(path) { operations.itemUpdates.append(move) }
    }
    return moves
  }

  /// Pairs the remaining items that leave and enter sections, and returns the pairs as moves.
  @inlinable
  mutating func joinAcrossSections<Section: SectionInflator>(
    from old: (sections: [ShownSection<Section>], counts: [Int]), _ goes: [[Int]?],
    to new: (sections: [ShownSection<Section>], counts: [Int]), _ comes: [[Int]?],
    workspace: inout Workspace
  ) -> [ItemPath.Move] {
    let (leaving, arriving, mayMove) = Self.crossing(goes, old.counts, comes, new.counts)
    guard mayMove else {
      (operations.itemDeletes, operations.itemInserts) = (leaving, arriving)
      return []
    }
    // Fetch the arrays once, because `join` visits each row that leaves or enters a section, and each access to `rows` would
    // have to find its storage.
    let oldArrays = Self.arrays(of: old.sections, with: leaving)
    let newArrays = Self.arrays(of: new.sections, with: arriving)
    func oldItem(_ path: ItemPath) -> Section.Item {
      oldArrays[path.section].isEmpty
        ? old.sections[path.section].rows[path.item] : oldArrays[path.section][path.item]
    }
    func newItem(_ path: ItemPath) -> Section.Item {
      newArrays[path.section].isEmpty
        ? new.sections[path.section].rows[path.item] : newArrays[path.section][path.item]
    }
    let moves = join(leaving, oldItem, arriving, newItem, workspace: &workspace)
    for (place, path) in arriving.enumerated() where workspace.oldOffsets[place] < 0 {
      if comes[path.section] != nil { operations.itemInserts.append(path) }
    }
    for (place, path) in leaving.enumerated() where workspace.newOffsets[place] < 0 {
      if goes[path.section] != nil { operations.itemDeletes.append(path) }
    }
    return moves
  }

  /// For each section, its rows if a path refers to the section and the rows are stored as an array; otherwise no rows.
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

  /// The paths of the items that leave and enter sections, and whether an item may do both.
  ///
  /// If an item may do both, the paths include all items of the sections that only one list has (`nil` in `goes` or `comes`).
  @usableFromInline
  static func crossing(
    _ goes: [[Int]?], _ oldCounts: [Int], _ comes: [[Int]?], _ newCounts: [Int]
  ) -> (leaving: [ItemPath], arriving: [ItemPath], mayMove: Bool) {
    func hasPaths(_ items: [[Int]?], _ counts: [Int]) -> Bool {
      zip(items, counts).contains { !($0?.isEmpty ?? ($1 == 0)) }
    }
    let mayMove = hasPaths(goes, oldCounts) && hasPaths(comes, newCounts)
    func paths(_ items: [[Int]?], _ counts: [Int]) -> [ItemPath] {
      var paths: [ItemPath] = []
      for (section, (named, count)) in zip(items, counts).enumerated() {
        if let named {
          for item in named { paths.append(ItemPath(section: section, item: item)) }
        } else if mayMove {
          for item in 0..<count { paths.append(ItemPath(section: section, item: item)) }
        }
      }
      return paths
    }
    return (paths(goes, oldCounts), paths(comes, newCounts), mayMove)
  }
}

/// Pairs sections by identifier; two versions are equal if their content is equal and their rows share storage.
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

/// Compares items by identifier and content; for `AnyNodable`, one call compares both.
@usableFromInline
struct ItemKeying<Item: Diffable & Equatable & Sendable>: RowKeying {
  @inlinable
  init() {}

  /// If the compiler knows `Item`, it optimizes the type check away.
  @inlinable
  func likeness(_ old: Item, _ new: Item) -> Likeness {
    if Item.self == AnyNodable.self, let old = old as? AnyNodable, let new = new as? AnyNodable {
      return old.likeness(to: new)
    }
    return DiffableKeying().likeness(old, new)
  }
}

/// The runs of shared rows between the compared parts of two trees; they are assumed to stay in place.
///
/// If many rows cross a short run, it takes fewer moves to move the run instead. If no run is crossed by more rows than it
/// contains, no other choice has fewer moves, because moving a run takes one move for each of its rows, and saves at most one
/// move for each row that crosses it.
struct SharedRuns {
  private var pairs: [(pair: Changeset.Move, runs: [(start: Changeset.Move, count: Int)])] = []

  /// Adds the runs between the parts of two sections.
  mutating func add(_ pair: Changeset.Move, _ parts: [SectionedChange.Part]) {
    let runs = zip(parts, parts.dropFirst()).map { before, next in
      let start = Changeset.Move(
        from: before.start.from + before.oldCount, to: before.start.to + before.newCount)
      return (start, next.start.from - start.from)
    }
    pairs.append((pair, runs))
  }

  /// The minimum length of a run that stays in place, or 0 if no run is crossed by more rows than it contains.
  func leastLength(for moves: [ItemPath.Move]) -> Int {
    var least = 0
    for (pair, runs) in moves.isEmpty ? [] : pairs {
      // A difference array: for each run, how many more rows cross it than cross the previous run.
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
