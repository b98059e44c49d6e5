/// The stage of each kind of operation.
///
/// A surface deletes, inserts or moves a section with all its items, and rejects other operations
/// on those items in the same batch. So an item leaves a section before the section is deleted,
/// comes to a section after it was inserted, and does neither while the section is moved.
struct StageSchedule {
  /// The number of stages.
  let count: Int
  /// The stages in which sections are inserted, deleted and moved.
  let sectionInserts: Int
  let sectionDeletes: Int
  let sectionMoves: Int
  /// The stage of items that move out of deleted sections, into inserted ones, and of all others.
  private let leaving: Int
  private let entering: Int
  private let items: Int

  /// What a batch does to a section.
  enum Fate {
    /// Nothing.
    case rests
    /// It is moved.
    case moves
    /// It is deleted or inserted.
    case passes
  }

  /// An operation on an item, by the fates of the sections where it was and where it is then.
  struct Operation: Hashable {
    let from: Fate
    let to: Fate
  }

  /// The schedules, the shortest first; the last one allows everything.
  private static let all = [
    // All at once.
    Self(
      count: 1, sectionInserts: 1, sectionDeletes: 1, sectionMoves: 1, leaving: 1, entering: 1,
      items: 1),
    // Sections, then items.
    Self(
      count: 2, sectionInserts: 1, sectionDeletes: 1, sectionMoves: 1, leaving: 2, entering: 2,
      items: 2),
    // Items, then sections.
    Self(
      count: 2, sectionInserts: 2, sectionDeletes: 2, sectionMoves: 2, leaving: 1, entering: 1,
      items: 1),
    // Inserts and what leaves deleted sections, then deletes and what enters inserted ones.
    Self(
      count: 2, sectionInserts: 1, sectionDeletes: 2, sectionMoves: 2, leaving: 1, entering: 2,
      items: 1),
    Self(
      count: 2, sectionInserts: 1, sectionDeletes: 2, sectionMoves: 1, leaving: 1, entering: 2,
      items: 2),
    // Inserts, then items, then deletes.
    Self(
      count: 3, sectionInserts: 1, sectionDeletes: 3, sectionMoves: 1, leaving: 2, entering: 2,
      items: 2),
  ]

  /// The shortest schedule that allows these operations.
  static func shortest(for operations: Set<Operation>) -> Self {
    all.first { operations.allSatisfy($0.allows) } ?? all[all.count - 1]
  }

  /// The stage of an operation on an item.
  func stage(of operation: Operation) -> Int {
    switch (operation.from, operation.to) {
    case (.passes, .passes): items
    case (.passes, _): leaving
    case (_, .passes): entering
    case (_, _): items
    }
  }

  private func allows(_ operation: Operation) -> Bool {
    let stage = stage(of: operation)
    return (operation.from != .passes || stage < sectionDeletes)
      && (operation.to != .passes || stage > sectionInserts)
      && (operation.from != .moves && operation.to != .moves || stage != sectionMoves)
  }
}
