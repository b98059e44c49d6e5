import AsyncDiff
import AsyncDiffTesting

/// What stages do to sections and rows, which are named as in the old snapshot.
struct StageRecord {
  private(set) var rows: StrictRows<Day>
  private(set) var deleted: Set<String> = []
  private(set) var inserted: Set<String> = []
  private(set) var moved: Set<String> = []
  /// The sections that each operation on an item touches.
  private(set) var operations: Set<Set<String>> = []
  private(set) var updated: Set<ItemPath> = []
  private(set) var updatedSections: Set<String> = []
  /// The offsets of the old sections.
  private let order: [String: Int]
  /// The sections that are shown now.
  private var shown: [String] = []

  init(_ old: Days) {
    rows = StrictRows(old)
    let sections = old.sections.enumerated().map { ($1.diffIdentifier, $0) }
    order = Dictionary(uniqueKeysWithValues: sections)
    shown = old.sections.map(\.diffIdentifier)
  }

  /// Carries a stage out, or says which rule it breaks.
  mutating func perform(_ batch: BatchUpdates<Day>) -> String? {
    let origins = rows.origins
    do { try rows.perform(batch) } catch { return "\(error)" }
    let before = shown
    shown = batch.snapshot.sections.map(\.diffIdentifier)
    deleted.formUnion(batch.sectionDeletes.map { before[$0] })
    inserted.formUnion(batch.sectionInserts.map { shown[$0] })
    moved.formUnion(batch.sectionMoves.map { before[$0.from] })
    operations.formUnion(batch.itemDeletes.map { [before[$0.section]] })
    operations.formUnion(batch.itemInserts.map { [shown[$0.section]] })
    operations.formUnion(batch.itemMoves.map { [before[$0.from.section], shown[$0.to.section]] })
    for update in batch.sectionUpdates where !updatedSections.insert(shown[update.to]).inserted {
      return "section \(update.to) is updated in two stages"
    }
    for update in batch.itemUpdates {
      guard let origin = origins[update.from.section][update.from.item],
        updated.insert(origin).inserted
      else { return "\(update.from) was inserted, or updated before" }
    }
    return nil
  }

  /// Whether some schedule of so many stages, in which these sections move at once, carries all
  /// operations out by the same rules.
  func isPossible(inStages count: Int, moving moved: Set<String>) -> Bool {
    let special = Array(deleted.union(inserted).union(moved))
    var stages: [String: Int] = [:]
    func search(_ index: Int) -> Bool {
      guard Set(moved.compactMap { stages[$0] }).count <= 1 else { return false }
      guard index < special.count else {
        return operations.allSatisfy { operation in
          (1...count).contains { stage in
            operation.allSatisfy { token in
              guard let own = stages[token] else { return true }
              if moved.contains(token) { return stage != own }
              return deleted.contains(token) ? stage < own : stage > own
            }
          }
        }
      }
      defer { stages[special[index]] = nil }
      return (1...count).contains { stage in
        stages[special[index]] = stage
        return search(index + 1)
      }
    }
    return search(0)
  }

  /// All ways to choose as few sections to move as can be.
  func choicesOfMoves() -> [Set<String>] {
    let survivors = shown.filter { order[$0] != nil }
    var longest: [Set<String>] = [[]]
    for choice in 0..<(1 << survivors.count) {
      let kept = survivors.indices.filter { choice >> $0 & 1 == 1 }.map { survivors[$0] }
      guard zip(kept, kept.dropFirst()).allSatisfy({ place($0) < place($1) }) else { continue }
      if kept.count > longest[0].count { longest = [] }
      if longest.isEmpty || kept.count == longest[0].count { longest.append(Set(kept)) }
    }
    return longest.map { Set(survivors).subtracting($0) }
  }

  private func place(_ section: String) -> Int { order[section] ?? .max }
}
