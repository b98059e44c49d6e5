/// Splits a change into the stages of the shortest schedule that fits.
///
/// `Design/staging.md` has the rules, and shows why there are never more than three stages.
struct StagePlan {
  private let change: SectionedChange
  private let oldCounts: [Int]
  private let newCounts: [Int]
  private let fates: SectionFates
  private let schedule: StageSchedule
  /// The stages in which the items of each section leave and come, ascending by item.
  private var goes: [MergedList.Schedule] = []
  private var comes: [MergedList.Schedule] = []
  /// The first and the last stage in which items of each section change; nil if none changes.
  ///
  /// The spans of old sections come first, by their old offsets; those of inserted sections follow.
  private var spans: [ClosedRange<Int>?] = []
  /// The stage of each item's update: that of its move, or the last one in which its section
  /// changes.
  private var updateStages: [Int] = []

  /// Schedules a change.
  ///
  /// - Parameters:
  ///   - change: The whole change.
  ///   - oldCounts: The number of items in each section before.
  ///   - newCounts: The number of items in each section after.
  init(_ change: SectionedChange, oldCounts: [Int], newCounts: [Int]) {
    var change = change
    var fates = SectionFates(change, old: oldCounts.count, new: newCounts.count)
    var schedule = StageSchedule.shortest(for: fates.operations(of: change.operations))
    if schedule.count > 1, !change.operations.sectionMoves.isEmpty {
      // Perhaps others of the sections can move, whose items rest.
      let moves = change.operations.sectionMoves
      change.operations.sectionMoves = fates.movesOfRestingSections(in: change)
      let others = SectionFates(change, old: oldCounts.count, new: newCounts.count)
      let shorter = StageSchedule.shortest(for: others.operations(of: change.operations))
      if shorter.count < schedule.count {
        (fates, schedule) = (others, shorter)
      } else {
        change.operations.sectionMoves = moves
      }
    }
    self.change = change
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    self.fates = fates
    self.schedule = schedule
    guard schedule.count > 1 else { return }
    goes = Array(repeating: [], count: oldCounts.count)
    comes = Array(repeating: [], count: newCounts.count)
    spans = Array(repeating: nil, count: oldCounts.count + newCounts.count)
    for path in change.operations.itemDeletes { leave(path, in: stage(ofDelete: path)) }
    for path in change.operations.itemInserts { arrive(path, in: stage(ofInsert: path)) }
    for move in change.operations.itemMoves {
      leave(move.from, in: stage(of: move))
      arrive(move.to, in: stage(of: move))
    }
    for section in goes.indices { goes[section].sort { $0.offset < $1.offset } }
    for section in comes.indices { comes[section].sort { $0.offset < $1.offset } }
    var moves = change.operations.itemMoves[...]
    updateStages = change.operations.itemUpdates.map { update in
      moves = moves.drop { $0.from < update.from }
      if let move = moves.first, move.from == update.from { return stage(of: move) }
      return spans[update.from.section]?.upperBound ?? 1
    }
  }

  private mutating func leave(_ path: ItemPath, in stage: Int) {
    goes[path.section].append((path.item, stage))
    widenSpan(of: path.section, to: stage)
  }

  private mutating func arrive(_ path: ItemPath, in stage: Int) {
    comes[path.section].append((path.item, stage))
    widenSpan(of: fates.origins[path.section] ?? oldCounts.count + path.section, to: stage)
  }

  private mutating func widenSpan(of section: Int, to stage: Int) {
    let span = spans[section] ?? stage...stage
    spans[section] = min(span.lowerBound, stage)...max(span.upperBound, stage)
  }

  /// The stages, in order, with the sections after each but the last one; none if nothing changed.
  func stages() -> [(operations: ListOperations, sections: [StagedSection])] {
    guard schedule.count > 1 else {
      return change.operations.isEmpty ? [] : [(change.operations, [])]
    }
    let layouts = (0...schedule.count).map(layout(after:))
    return (1...schedule.count).map { number in
      let (before, after) = (layouts[number - 1], layouts[number])
      return (operations(of: number, from: before, to: after), after.sections)
    }
  }

  /// The sections and items after a stage.
  private func layout(after stage: Int) -> StageLayout {
    var layout = StageLayout(oldCount: oldCounts.count, newCount: newCounts.count)
    for (old, new) in sections(after: stage) {
      layout.append(section(old: old, new: new, after: stage))
    }
    return layout
  }

  /// The sections after a stage, with their offsets in the old and the new list.
  private func sections(after stage: Int) -> [(old: Int?, new: Int?)] {
    func schedule(_ rows: [Int], _ stage: Int, _ moved: [Int]) -> MergedList.Schedule {
      (rows.map { ($0, stage) } + moved.map { ($0, self.schedule.sectionMoves) })
        .sorted { $0.0 < $1.0 }
    }
    let moves = change.operations.sectionMoves
    let merged = MergedList(
      old: oldCounts.count, new: newCounts.count,
      goes: schedule(
        change.operations.sectionDeletes, self.schedule.sectionDeletes, moves.map(\.from)),
      comes: schedule(
        change.operations.sectionInserts, self.schedule.sectionInserts, moves.map(\.to)),
      after: stage)
    return merged.runs.flatMap { run in
      (0..<run.count).map { step in
        // A moved section is the same section at its old and its new place.
        let old = run.isOld ? run.old + step : fates.origins[run.new + step]
        let new = run.isNew ? run.new + step : fates.targets[run.old + step]
        return (old, new)
      }
    }
  }

  private func stage(ofDelete path: ItemPath) -> Int {
    schedule.stage(of: fates.operation(from: path.section))
  }

  private func stage(ofInsert path: ItemPath) -> Int {
    schedule.stage(of: fates.operation(to: path.section))
  }

  private func stage(of move: ItemPath.Move) -> Int {
    schedule.stage(of: fates.operation(from: move.from.section, to: move.to.section))
  }

  private func section(old: Int?, new: Int?, after stage: Int) -> StagedSection {
    let span = old.map { spans[$0] } ?? new.map { spans[oldCounts.count + $0] } ?? nil
    let isOld = old != nil && (new == nil || stage < 1)
    guard let span else { return StagedSection(old: old, new: new, merged: nil, isNew: !isOld) }
    let hasBegun = stage >= span.lowerBound
    let isDone = stage >= span.upperBound
    guard (old == nil || hasBegun) && (new == nil || !isDone) else {
      return StagedSection(old: old, new: new, merged: nil, isNew: hasBegun)
    }
    let items = MergedList(
      old: old.map { oldCounts[$0] } ?? 0, new: new.map { newCounts[$0] } ?? 0,
      goes: old.map { goes[$0] } ?? [], comes: new.map { comes[$0] } ?? [], after: stage)
    return StagedSection(old: old, new: new, merged: items, isNew: false)
  }

  private func operations(
    of number: Int, from before: StageLayout, to after: StageLayout
  ) -> ListOperations {
    func moved(_ move: ItemPath.Move) -> ItemPath.Move {
      ItemPath.Move(from: before.path(ofOld: move.from), to: after.path(ofNew: move.to))
    }
    func moved(_ move: Changeset.Move) -> Changeset.Move {
      Changeset.Move(from: before.section(ofOld: move.from), to: after.section(ofNew: move.to))
    }
    var operations = ListOperations()
    if schedule.sectionDeletes == number {
      operations.sectionDeletes = change.operations.sectionDeletes.map(before.section(ofOld:))
    }
    if schedule.sectionInserts == number {
      operations.sectionInserts = change.operations.sectionInserts.map(after.section(ofNew:))
    }
    if schedule.sectionMoves == number {
      operations.sectionMoves = change.operations.sectionMoves.map(moved).sorted {
        $0.from < $1.from
      }
    }
    // The content of sections changes in the last stage, when all sections that stay are there.
    if number == schedule.count {
      operations.sectionUpdates = change.operations.sectionUpdates.map(moved).sorted {
        $0.from < $1.from
      }
    }
    operations.itemDeletes = change.operations.itemDeletes
      .filter { stage(ofDelete: $0) == number }
      .map(before.path(ofOld:)).sorted()
    operations.itemInserts = change.operations.itemInserts
      .filter { stage(ofInsert: $0) == number }
      .map(after.path(ofNew:)).sorted()
    operations.itemMoves = change.operations.itemMoves
      .filter { stage(of: $0) == number }
      .map(moved).sorted { $0.from < $1.from }
    operations.itemUpdates = zip(change.operations.itemUpdates, updateStages)
      .filter { $0.1 == number }
      .map { moved($0.0) }.sorted { $0.from < $1.from }
    return operations
  }
}
