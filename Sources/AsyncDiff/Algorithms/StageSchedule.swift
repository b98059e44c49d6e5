/// In which stage each operation is carried out.
///
/// A surface takes a section that a batch deletes, inserts or moves with all its items, and refuses other
/// operations on them. So an item leaves a section before the section is deleted, comes to one after it
/// was inserted, and does neither while it is moved. The schedule is the shortest that does so.
struct StageSchedule {
  private(set) var count = 1
  private(set) var sectionDeletes = 1
  private(set) var sectionInserts = 1
  /// By old offset.
  private(set) var sectionMoves: [Int: Int] = [:]
  /// The stage of the items where their sections leave a choice.
  private var items = 1
  private let deleted: Set<Int>
  private let inserted: Set<Int>
  /// The old offsets of moved sections by their new ones.
  private let origins: [Int: Int]

  init(_ change: SectionedChange) {
    deleted = Set(change.sections.deletes)
    inserted = Set(change.sections.inserts)
    origins = Dictionary(uniqueKeysWithValues: change.sections.moves.map { ($0.to, $0.from) })
    for move in change.sections.moves { sectionMoves[move.from] = 1 }
    guard
      !change.sections.deletes.isEmpty || !change.sections.inserts.isEmpty || !sectionMoves.isEmpty
    else { return }

    let leavesDeleted = change.itemMoves.contains { deleted.contains($0.from.section) }
    let entersInserted = change.itemMoves.contains { inserted.contains($0.to.section) }
    if leavesDeleted, entersInserted {
      scheduleAround(change)
    } else if leavesDeleted {
      schedule(sections: 2, items: 1)
    } else if entersInserted || touchesMoved(change) {
      schedule(sections: 1, items: 2)
    }
  }

  private mutating func schedule(sections: Int, items: Int) {
    count = 2
    sectionDeletes = sections
    sectionInserts = sections
    for section in sectionMoves.keys { sectionMoves[section] = sections }
    self.items = items
  }

  /// Whether items go from, come to or move in a section that moves.
  private func touchesMoved(_ change: SectionedChange) -> Bool {
    change.itemDeletes.contains { sectionMoves[$0.section] != nil }
      || change.itemInserts.contains { origins[$0.section] != nil }
      || change.itemMoves.contains {
        sectionMoves[$0.from.section] != nil || origins[$0.to.section] != nil
      }
  }

  /// Inserts sections first and deletes them last; in two stages if no item needs one between.
  private mutating func scheduleAround(_ change: SectionedChange) {
    sectionDeletes = 2
    count = 2
    guard
      !change.itemMoves.contains(where: {
        deleted.contains($0.from.section) && inserted.contains($0.to.section)
      }), moveAside(change)
    else {
      sectionDeletes = 3
      count = 3
      items = 2
      for section in sectionMoves.keys { sectionMoves[section] = 1 }
      return
    }
  }

  /// Moves each section in the one of two stages in which its items rest; false if they never do.
  private mutating func moveAside(_ change: SectionedChange) -> Bool {
    var groups = MovedSections(sectionMoves.keys)
    for move in change.itemMoves {
      let to = origins[move.to.section]
      if let to, sectionMoves[move.from.section] != nil { groups.join(move.from.section, to) }
    }
    var stages: [Int: Int] = [:]
    for move in change.itemMoves {
      let isFromDeleted = deleted.contains(move.from.section)
      guard isFromDeleted || inserted.contains(move.to.section),
        let section = isFromDeleted
          ? origins[move.to.section]
          : sectionMoves[move.from.section].map({ _ in move.from.section })
      else { continue }
      let stage = isFromDeleted ? 2 : 1
      guard stages.updateValue(stage, forKey: groups.group(of: section)) ?? stage == stage
      else { return false }
    }
    for section in sectionMoves.keys {
      sectionMoves[section] = stages[groups.group(of: section)] ?? 1
    }
    return true
  }

  /// The stage in which an item moves.
  func stage(of move: ItemMove) -> Int {
    guard count > 1 else { return 1 }
    if count == 2 {
      if deleted.contains(move.from.section) { return 1 }
      if inserted.contains(move.to.section) { return 2 }
    }
    return stage(
      ofItemsIn: sectionMoves[move.from.section] != nil
        ? move.from.section : origins[move.to.section])
  }

  /// The stage in which an item of a section that stays is deleted.
  func stage(ofDelete path: ItemPath) -> Int { stage(ofItemsIn: path.section) }

  /// The stage in which an item of a section that stays is inserted.
  func stage(ofInsert path: ItemPath) -> Int { stage(ofItemsIn: origins[path.section]) }

  private func stage(ofItemsIn section: Int?) -> Int {
    guard count == 2, let section, let moves = sectionMoves[section] else { return items }
    return 3 - moves
  }
}

/// Moved sections that exchange items, which therefore rest at the same time (a union–find).
private struct MovedSections {
  private var parents: [Int: Int]

  init(_ sections: some Sequence<Int>) {
    parents = Dictionary(uniqueKeysWithValues: sections.map { ($0, $0) })
  }

  func group(of section: Int) -> Int {
    var group = section
    while let parent = parents[group], parent != group { group = parent }
    return group
  }

  mutating func join(_ first: Int, _ second: Int) { parents[group(of: first)] = group(of: second) }
}
