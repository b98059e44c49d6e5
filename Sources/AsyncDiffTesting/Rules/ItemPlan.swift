import AsyncDiff

/// The rows that a batch deletes, inserts and moves.
///
/// The initializer checks the operations.
struct ItemPlan {
  /// The paths of deleted and moved rows before the batch.
  private(set) var leaving: Set<ItemPath> = []
  /// The paths of inserted rows after the batch.
  private(set) var inserted: Set<ItemPath> = []
  /// Maps the path of each moved row after the batch to its path before the batch.
  private(set) var arriving: [ItemPath: ItemPath] = [:]

  init<Section>(
    _ batch: BatchUpdates<Section>, sections: SectionPlan, before: [Int]
  ) throws(BatchViolation) {
    let bounds = Bounds(
      before: before,
      after: batch.snapshot.sections.indices.map(batch.snapshot.numberOfItems(in:)),
      sections: sections)
    for path in batch.itemDeletes {
      try bounds.checkBefore(path, "itemDeletes")
      try requireNew(leaving.insert(path).inserted, path, "itemDeletes")
    }
    let deleted = leaving
    for path in batch.itemInserts {
      try bounds.checkAfter(path, "itemInserts")
      try requireNew(inserted.insert(path).inserted, path, "itemInserts")
    }
    for move in batch.itemMoves {
      try bounds.checkBefore(move.from, "itemMoves, from")
      try requireNew(leaving.insert(move.from).inserted, move.from, "itemMoves, from")
      try bounds.checkAfter(move.to, "itemMoves, to")
      let isFree = arriving.updateValue(move.from, forKey: move.to) == nil
      try requireNew(isFree && !inserted.contains(move.to), move.to, "itemMoves, to")
    }
    var updated: Set<ItemPath> = []
    for update in batch.itemUpdates {
      try bounds.checkBefore(update.from, "itemUpdates, from", isUpdate: true)
      try bounds.checkAfter(update.to, "itemUpdates, to", isUpdate: true)
      let isNew = updated.insert(update.from).inserted
      try requireNew(isNew && !deleted.contains(update.from), update.from, "itemUpdates, from")
      try requireNew(!inserted.contains(update.to), update.to, "itemUpdates, to")
    }
    try bounds.checkCounts(
      leaving: leaving, arriving: Array(inserted) + arriving.keys)
  }

  private func requireNew(
    _ isNew: Bool, _ path: ItemPath, _ operation: String
  ) throws(BatchViolation) {
    guard isNew else {
      throw BatchViolation(.namedTwice, "\(operation): \(path) is named twice")
    }
  }
}

/// The counts of sections and items before and after a batch, which limit the paths of its operations.
private struct Bounds {
  let before: [Int]
  let after: [Int]
  let sections: SectionPlan

  func checkBefore(
    _ path: ItemPath, _ operation: String, isUpdate: Bool = false
  ) throws(BatchViolation) {
    try check(path, before, "was", operation)
    guard !sections.deleted.contains(path.section) else {
      throw BatchViolation(
        .deletedSection, "\(operation): \(path) is in a section that the batch deletes")
    }
    if !isUpdate { try checkStays(path, section: path.section, operation) }
  }

  func checkAfter(
    _ path: ItemPath, _ operation: String, isUpdate: Bool = false
  ) throws(BatchViolation) {
    try check(path, after, "is", operation)
    guard let origin = sections.origins[path.section] else {
      throw BatchViolation(
        .insertedSection, "\(operation): \(path) is in a section that the batch inserts")
    }
    if !isUpdate { try checkStays(path, section: origin, operation) }
  }

  private func checkStays(
    _ path: ItemPath, section: Int, _ operation: String
  ) throws(BatchViolation) {
    guard !sections.moved.contains(section) else {
      throw BatchViolation(
        .movedSection, "\(operation): \(path) is in a section that the batch moves")
    }
  }

  /// Requires that the operations account for the new number of items in each section that stays.
  func checkCounts(leaving: Set<ItemPath>, arriving: [ItemPath]) throws(BatchViolation) {
    var gone = [Int](repeating: 0, count: before.count)
    var come = [Int](repeating: 0, count: after.count)
    for path in leaving { gone[path.section] += 1 }
    for path in arriving { come[path.section] += 1 }
    for (target, origin) in sections.origins.enumerated() {
      guard let origin else { continue }
      let count = before[origin] - gone[origin] + come[target]
      guard count != after[target] else { continue }
      throw BatchViolation(
        .countMismatch,
        "section \(target): the number of items must be \(count) (\(before[origin]) before the "
          + "batch, minus \(gone[origin]) removed, plus \(come[target]) inserted); "
          + "got \(after[target])")
    }
  }

  private func check(
    _ path: ItemPath, _ counts: [Int], _ verb: String, _ operation: String
  ) throws(BatchViolation) {
    guard counts.indices.contains(path.section) else {
      throw BatchViolation(
        .outOfBounds,
        "\(operation): \(path) is out of bounds; the number of sections is \(counts.count)")
    }
    guard (0..<counts[path.section]).contains(path.item) else {
      throw BatchViolation(
        .outOfBounds,
        "\(operation): \(path) is out of bounds; the number of items "
          + "in section \(path.section) \(verb) \(counts[path.section])")
    }
  }
}
