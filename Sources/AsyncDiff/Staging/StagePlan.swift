/// Splits a change into the stages that a surface accepts.
///
/// A surface deletes, inserts or moves a section with all its items, and rejects other operations on these items in the same
/// batch. If a change needs both kinds of operations for one section, all operations on items are in a separate stage, the item
/// stage. Usually, sections are deleted, inserted and moved before the item stage. If items leave deleted sections, sections are
/// deleted after the item stage. If, in addition, no item enters an inserted section, sections are also inserted and moved after
/// the item stage.
struct StagePlan {
  /// A section before and after the item stage.
  struct Section {
    /// The section's offsets in the old and the new list; `nil` if that list does not have the section.
    let old: Int?
    let new: Int?
    /// The items that leave the section before it is deleted, or enter it after it is inserted.
    let passing: [Int]
  }

  /// The operations of each stage; empty if nothing changes.
  private(set) var stages: [ListOperations]
  /// The index of the stage with the operations on items.
  private(set) var itemStage = 0
  /// The sections before and after the item stage; empty if there is only one stage.
  private(set) var sections: [Section] = []

  /// Plans the stages of a change, in O(sections · log *k* + *k* log *k*) for *k* operations.
  init(_ change: SectionedChange, oldCount: Int, newCount: Int) {
    let all = change.operations
    stages = all.isEmpty ? [] : [all]
    let isDeleted = [Bool](count: oldCount, trueAt: all.sectionDeletes)
    let isInserted = [Bool](count: newCount, trueAt: all.sectionInserts)
    let movesAway = [Bool](count: oldCount, trueAt: all.sectionMoves.map(\.from))
    let movesHere = [Bool](count: newCount, trueAt: all.sectionMoves.map(\.to))
    let haveLeavers = all.itemMoves.contains { isDeleted[$0.from.section] }
    let haveEntrants = all.itemMoves.contains { isInserted[$0.to.section] }
    let isOneStage =
      !haveLeavers && !haveEntrants
      && !all.itemDeletes.contains { movesAway[$0.section] }
      && !all.itemInserts.contains { movesHere[$0.section] }
      && !all.itemMoves.contains { movesAway[$0.from.section] || movesHere[$0.to.section] }
    guard !isOneStage else { return }
    var leaving = [[Int]](repeating: [], count: oldCount)
    var entering = [[Int]](repeating: [], count: newCount)
    for move in all.itemMoves {
      if isDeleted[move.from.section] { leaving[move.from.section].append(move.from.item) }
      if isInserted[move.to.section] { entering[move.to.section].append(move.to.item) }
    }
    let offsets = change.sections.offsets(from: oldCount)
    if haveLeavers && !haveEntrants {
      sections = leaving.indices.map {
        Section(old: $0, new: offsets.new(of: $0), passing: leaving[$0])
      }
    } else {
      itemStage = 1
      // A section that a later stage deletes keeps its position among the sections that do not move.
      var doomed = (haveLeavers ? all.sectionDeletes : [])[...]
      for new in 0..<newCount {
        let old = offsets.old(of: new)
        while let old, !movesAway[old], let next = doomed.first, next < old {
          sections.append(Section(old: next, new: nil, passing: leaving[next]))
          doomed.removeFirst()
        }
        sections.append(Section(old: old, new: new, passing: entering[new]))
      }
      sections += doomed.map { Section(old: $0, new: nil, passing: leaving[$0]) }
    }
    stages = split(all, oldCount, newCount, keepingDeleted: haveLeavers)
  }

  /// Returns the item stage, with the section stages before and after it.
  private func split(
    _ all: ListOperations, _ oldCount: Int, _ newCount: Int, keepingDeleted: Bool
  ) -> [ListOperations] {
    var oldPlaces = [Int](repeating: 0, count: oldCount)
    var newPlaces = [Int](repeating: 0, count: newCount)
    for (place, section) in sections.enumerated() {
      if let old = section.old { oldPlaces[old] = place }
      if let new = section.new { newPlaces[new] = place }
    }
    func before(_ path: ItemPath) -> ItemPath {
      ItemPath(section: oldPlaces[path.section], item: path.item)
    }
    func after(_ path: ItemPath) -> ItemPath {
      ItemPath(section: newPlaces[path.section], item: path.item)
    }
    func placed(_ moves: [ItemPath.Move]) -> [ItemPath.Move] {
      moves.map { .init(from: before($0.from), to: after($0.to)) }.sorted { $0.from < $1.from }
    }
    let items = ListOperations(
      itemDeletes: all.itemDeletes.map(before).sorted(),
      itemInserts: all.itemInserts.map(after).sorted(),
      itemMoves: placed(all.itemMoves), itemUpdates: placed(all.itemUpdates))
    var stages = [items]
    if itemStage == 1 {
      stages.insert(
        ListOperations(
          sectionDeletes: keepingDeleted ? [] : all.sectionDeletes,
          sectionInserts: all.sectionInserts.map { newPlaces[$0] },
          sectionMoves: all.sectionMoves.map { .init(from: $0.from, to: newPlaces[$0.to]) }), at: 0)
    }
    if keepingDeleted {
      var last = ListOperations(sectionDeletes: all.sectionDeletes.map { oldPlaces[$0] })
      if itemStage == 0 {
        (last.sectionInserts, last.sectionMoves) = (all.sectionInserts, all.sectionMoves)
      }
      stages.append(last)
    }
    // After the last stage, all sections that stay have their new positions.
    stages[stages.count - 1].sectionUpdates = all.sectionUpdates
      .map { .init(from: oldPlaces[$0.from], to: $0.to) }.sorted { $0.from < $1.from }
    return stages
  }
}
