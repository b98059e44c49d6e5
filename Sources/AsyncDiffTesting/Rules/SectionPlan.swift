import AsyncDiff

/// Maps the sections after a batch to the sections before it.
///
/// The initializer checks the operations.
struct SectionPlan {
  /// For each section after the batch, its offset before the batch; `nil` if the section is inserted.
  let origins: [Int?]
  /// The offsets of the deleted sections, before the batch.
  let deleted: Set<Int>
  /// The offsets of the moved sections, before the batch.
  let moved: Set<Int>

  init<Section>(_ batch: BatchUpdates<Section>, before: Int) throws(BatchViolation) {
    let after = batch.snapshot.sections.count
    var leaving: Set<Int> = []
    var arriving: [Int: Int?] = [:]
    for offset in batch.sectionDeletes {
      let isNew = leaving.insert(offset).inserted
      try Self.check(offset, below: before, isNew: isNew, "sectionDeletes")
    }
    deleted = leaving
    moved = Set(batch.sectionMoves.map(\.from))
    for offset in batch.sectionInserts {
      let known = arriving.updateValue(.none, forKey: offset)
      try Self.check(offset, below: after, isNew: known == nil, "sectionInserts")
    }
    for move in batch.sectionMoves {
      let isNew = leaving.insert(move.from).inserted
      try Self.check(move.from, below: before, isNew: isNew, "sectionMoves, from")
      let known = arriving.updateValue(move.from, forKey: move.to)
      try Self.check(move.to, below: after, isNew: known == nil, "sectionMoves, to")
    }
    let count = before - leaving.count + arriving.count
    guard count == after else {
      throw BatchViolation(
        .countMismatch,
        "the number of sections must be \(count) (\(before) before the batch, "
          + "minus \(batch.sectionDeletes.count) deleted, "
          + "plus \(batch.sectionInserts.count) inserted); got \(after)")
    }
    var staying = (0..<before).lazy.filter { !leaving.contains($0) }.makeIterator()
    origins = (0..<after).map { target in
      if let origin = arriving[target] { origin } else { staying.next() }
    }
  }

  private static func check(
    _ offset: Int, below count: Int, isNew: Bool, _ operation: String
  ) throws(BatchViolation) {
    guard (0..<count).contains(offset) else {
      throw BatchViolation(
        .outOfBounds, "\(operation): \(offset) is out of bounds; the number of sections is \(count)"
      )
    }
    guard isNew else {
      throw BatchViolation(.namedTwice, "\(operation): section \(offset) is named twice")
    }
  }
}
