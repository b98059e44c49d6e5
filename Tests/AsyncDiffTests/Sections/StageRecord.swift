/// Records the effects of stages on sections, by identifier, and on rows, by path in the old snapshot.
struct StageRecord {
  private(set) var rows: StrictRows<Day>
  private(set) var deleted: Set<String> = []
  private(set) var inserted: Set<String> = []
  private(set) var moved: Set<String> = []
  /// The section of each operation on an item; for a move, the old and the new section.
  private(set) var operations: Set<[String]> = []
  private(set) var updated: Set<ItemPath> = []
  private(set) var updatedSections: Set<String> = []
  /// The index of each old section, by identifier.
  private let order: [String: Int]
  /// The sections that are shown now.
  private var shown: [String] = []

  init(_ old: Days) {
    rows = StrictRows(old)
    let sections = old.sections.enumerated().map { ($1.diffIdentifier, $0) }
    order = Dictionary(uniqueKeysWithValues: sections)
    shown = old.sections.map(\.diffIdentifier)
  }

  /// Carries out a stage, or returns the rule that the stage breaks.
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

  /// The number of stages that the operations need.
  ///
  /// One is enough if no operation on an item concerns a section that is inserted, deleted or moved. Three are needed if
  /// items both leave deleted sections and enter inserted ones.
  var stagesNeeded: Int {
    let special = deleted.union(inserted).union(moved)
    guard operations.contains(where: { !special.isDisjoint(with: $0) }) else { return 1 }
    let leave = operations.contains { $0.count == 2 && deleted.contains($0[0]) }
    let enter = operations.contains { $0.count == 2 && inserted.contains($0[1]) }
    return leave && enter ? 3 : 2
  }

  /// The number of remaining sections that must move: all except those in a longest increasing subsequence.
  var fewestMoves: Int {
    let places = shown.compactMap { order[$0] }
    var lengths: [Int] = []
    for (index, place) in places.enumerated() {
      lengths.append(1 + (zip(lengths, places[..<index]).filter { $1 < place }.map(\.0).max() ?? 0))
    }
    return places.count - (lengths.max() ?? 0)
  }
}
