/// Splits a change into the fewest stages that a surface accepts.
///
/// `Design/staging.md` has the rules, and shows why there are never more than three stages.
struct StagePlan {
  private let change: SectionedChange
  private let oldCounts: [Int]
  private let newCounts: [Int]
  private let schedule: StageSchedule
  /// For each section, the stages in which its items go and come.
  private var goes: [[Int: Int]]
  private var comes: [[Int: Int]]

  /// Schedules a change.
  ///
  /// - Parameters:
  ///   - change: What changes in all.
  ///   - oldCounts: The number of items in each section before.
  ///   - newCounts: The number of items in each section after.
  init(_ change: SectionedChange, oldCounts: [Int], newCounts: [Int]) {
    self.change = change
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    schedule = StageSchedule(change)
    goes = Array(repeating: [:], count: oldCounts.count)
    comes = Array(repeating: [:], count: newCounts.count)
    guard schedule.count > 1 else { return }
    for path in change.itemDeletes {
      goes[path.section][path.item] = schedule.stage(ofDelete: path)
    }
    for path in change.itemInserts {
      comes[path.section][path.item] = schedule.stage(ofInsert: path)
    }
    for move in change.itemMoves {
      let stage = schedule.stage(of: move)
      goes[move.from.section][move.from.item] = stage
      comes[move.to.section][move.to.item] = stage
    }
  }

  /// The stages, in order; none if nothing changed.
  func stages() -> [Stage] {
    guard schedule.count > 1 else {
      let stage = Stage(
        sectionDeletes: change.sections.deletes, sectionInserts: change.sections.inserts,
        sectionMoves: change.sections.moves, itemDeletes: change.itemDeletes,
        itemInserts: change.itemInserts, itemMoves: change.itemMoves,
        itemUpdates: change.itemUpdates)
      return stage == Stage() ? [] : [stage]
    }
    var before = layout(after: 0)
    return (1...schedule.count).map { number in
      let after = layout(after: number)
      defer { before = after }
      return stage(number, from: before, to: after)
    }
  }

  /// The sections and items after a stage.
  private func layout(after stage: Int) -> StageLayout {
    var layout = StageLayout()
    for section in sectionList(after: stage) {
      layout.append(StagedSection(section: section, items: items(of: section, after: stage)))
    }
    return layout
  }

  private func sectionList(after stage: Int) -> [Merged] {
    var goes: [Int: Int] = [:]
    var comes: [Int: Int] = [:]
    for section in change.sections.deletes { goes[section] = schedule.sectionDeletes }
    for section in change.sections.inserts { comes[section] = schedule.sectionInserts }
    for move in change.sections.moves {
      goes[move.from] = schedule.sectionMoves[move.from]
      comes[move.to] = schedule.sectionMoves[move.from]
    }
    let targets = Dictionary(
      uniqueKeysWithValues: change.sections.moves.map { ($0.from, $0.to) })
    let origins = Dictionary(
      uniqueKeysWithValues: change.sections.moves.map { ($0.to, $0.from) })
    return Merged.list(
      old: oldCounts.count, new: newCounts.count, goes: goes, comes: comes, after: stage
    ).map { section in
      // A moved section is the same one at either place.
      switch section {
      case .old(let old): targets[old].map { .both(old: old, new: $0) } ?? section
      case .new(let new): origins[new].map { .both(old: $0, new: new) } ?? section
      case .both: section
      }
    }
  }

  private func items(of section: Merged, after stage: Int) -> StagedSection.Items {
    let goes = section.old.map { self.goes[$0] } ?? [:]
    let comes = section.new.map { self.comes[$0] } ?? [:]
    let first = min(goes.values.min() ?? .max, comes.values.min() ?? .max)
    switch section {
    case .old where stage < first: return .allOld
    case .new where stage >= lastStage(goes, comes): return .allNew
    case .both where stage >= lastStage(goes, comes): return .allNew
    case .both where stage < first: return .allOld
    default:
      return .merged(
        Merged.list(
          old: section.old.map { oldCounts[$0] } ?? 0, new: section.new.map { newCounts[$0] } ?? 0,
          goes: goes, comes: comes, after: stage))
    }
  }

  /// The stage after which the items of a section are the new ones.
  private func lastStage(_ goes: [Int: Int], _ comes: [Int: Int]) -> Int {
    max(goes.values.max() ?? 1, comes.values.max() ?? 1)
  }

  private func stage(
    _ number: Int, from before: StageLayout, to after: StageLayout
  ) -> Stage {
    func moved(_ move: ItemMove) -> ItemMove {
      ItemMove(from: before.path(ofOld: move.from), to: after.path(ofNew: move.to))
    }
    var stage = Stage(sections: after.sections)
    if schedule.sectionDeletes == number {
      stage.sectionDeletes = change.sections.deletes.map(before.section(ofOld:))
    }
    if schedule.sectionInserts == number {
      stage.sectionInserts = change.sections.inserts.map(after.section(ofNew:))
    }
    stage.sectionMoves = change.sections.moves
      .filter { schedule.sectionMoves[$0.from] == number }
      .map {
        Changeset.Move(from: before.section(ofOld: $0.from), to: after.section(ofNew: $0.to))
      }
    stage.itemDeletes = change.itemDeletes
      .filter { goes[$0.section][$0.item] == number }
      .map(before.path(ofOld:)).sorted()
    stage.itemInserts = change.itemInserts
      .filter { comes[$0.section][$0.item] == number }
      .map(after.path(ofNew:)).sorted()
    stage.itemMoves = change.itemMoves
      .filter { goes[$0.from.section][$0.from.item] == number }
      .map(moved).sorted { $0.from < $1.from }
    stage.itemUpdates = change.itemUpdates
      .filter { updateStage(of: $0) == number }
      .map(moved).sorted { $0.from < $1.from }
    return stage
  }

  /// An item is updated when it moves, or when its section is done.
  private func updateStage(of update: ItemMove) -> Int {
    let goes = goes[update.from.section]
    return goes[update.from.item] ?? lastStage(goes, comes[update.to.section])
  }
}
