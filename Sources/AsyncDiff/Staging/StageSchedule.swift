/// The stage of each operation.
///
/// A surface deletes, inserts or moves a section with all its items, and rejects other operations
/// on those items in the same batch. So an item leaves a section before the section is deleted,
/// comes to a section after it was inserted, and does neither while the section is moved. The
/// schedule is the shortest one with these properties.
struct StageSchedule {
  private(set) var count = 1
  private(set) var sectionDeletes = 1
  private(set) var sectionInserts = 1
  /// The stage of items whose sections leave a choice.
  private var items = 1
  /// The stage in which each old section moves; 0 if it does not.
  private var moveStages: [Int]
  private let places: SectionPlaceTable

  init(_ change: SectionedChange, _ traffic: SectionTraffic, _ places: SectionPlaceTable) {
    self.places = places
    moveStages = places.hasMoved.map { $0 ? 1 : 0 }
    if traffic.leavesDeleted, traffic.entersInserted {
      scheduleAround(change, traffic)
    } else if traffic.leavesDeleted {
      schedule(sections: 2, items: 1)
    } else if traffic.entersInserted || traffic.touches(places.hasMoved) {
      schedule(sections: 1, items: 2)
    }
  }

  private mutating func schedule(sections: Int, items: Int) {
    count = 2
    sectionDeletes = sections
    sectionInserts = sections
    for section in moveStages.indices where moveStages[section] > 0 {
      moveStages[section] = sections
    }
    self.items = items
  }

  /// Inserts sections in the first stage and deletes them in the last; two stages if no item needs
  /// a third.
  private mutating func scheduleAround(_ change: SectionedChange, _ traffic: SectionTraffic) {
    sectionDeletes = 2
    count = 2
    if !traffic.goesThrough, let stages = traffic.restingStages(ofMoved: places.hasMoved) {
      moveStages = stages
    } else {
      sectionDeletes = 3
      count = 3
      items = 2
    }
  }

  /// The stage in which a section moves; 0 if it does not.
  func stage(ofMovedSection old: Int) -> Int { moveStages[old] }

  /// The stage in which an item moves.
  func stage(of move: ItemMove) -> Int {
    guard count > 1 else { return 1 }
    if count == 2 {
      if places.isDeleted(move.from.section) { return 1 }
      if places.isInserted(move.to.section) { return 2 }
    }
    let from = move.from.section
    return stage(ofItemsIn: moveStages[from] > 0 ? from : places.origins[move.to.section])
  }

  /// The stage in which an item of a section that stays is deleted.
  func stage(ofDelete path: ItemPath) -> Int { stage(ofItemsIn: path.section) }

  /// The stage in which an item of a section that stays is inserted.
  func stage(ofInsert path: ItemPath) -> Int { stage(ofItemsIn: places.origins[path.section]) }

  private func stage(ofItemsIn section: Int) -> Int {
    guard count == 2, section >= 0, moveStages[section] > 0 else { return items }
    return 3 - moveStages[section]
  }

  /// The sections after a stage, with their offsets in the old and the new list.
  func sections(
    _ change: Changeset, oldCount: Int, newCount: Int, after stage: Int
  ) -> [(old: Int?, new: Int?)] {
    let goes =
      change.deletes.map { ($0, sectionDeletes) }
      + change.moves.map { ($0.from, moveStages[$0.from]) }
    let comes =
      change.inserts.map { ($0, sectionInserts) }
      + change.moves.map { ($0.to, moveStages[$0.from]) }
    let merged = MergedList(
      old: oldCount, new: newCount,
      goes: goes.map { (offset: $0.0, stage: $0.1) }.sorted { $0.offset < $1.offset },
      comes: comes.map { (offset: $0.0, stage: $0.1) }.sorted { $0.offset < $1.offset },
      after: stage)
    return merged.runs.flatMap { run in
      (0..<run.count).map { step in
        // A moved section is the same section at its old and its new place.
        let old = run.isOld ? run.old + step : origin(of: run.new + step)
        let new = run.isNew ? run.new + step : target(of: run.old + step)
        return (old, new)
      }
    }
  }

  private func origin(of new: Int) -> Int? { places.isInserted(new) ? nil : places.origins[new] }

  private func target(of old: Int) -> Int? { places.isDeleted(old) ? nil : places.targets[old] }
}
