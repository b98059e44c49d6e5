/// The old and new offset of each section, and whether it moves.
struct SectionPlaceTable {
  /// The new offset of each old section; -1 if it is deleted.
  private(set) var targets: [Int]
  /// The old offset of each new section; -1 if it is inserted.
  private(set) var origins: [Int]
  /// Whether each old section moves.
  private(set) var hasMoved: [Bool]

  init(_ change: Changeset, oldCount: Int, newCount: Int) {
    targets = Array(repeating: -1, count: oldCount)
    origins = Array(repeating: -1, count: newCount)
    hasMoved = Array(repeating: false, count: oldCount)
    for pair in change.updates {
      targets[pair.from] = pair.to
      origins[pair.to] = pair.from
    }
    setMoves(change.moves)
  }

  mutating func setMoves(_ moves: [Changeset.Move]) {
    hasMoved = Array(repeating: false, count: targets.count)
    for move in moves { hasMoved[move.from] = true }
  }

  func isDeleted(_ old: Int) -> Bool { targets[old] < 0 }

  func isInserted(_ new: Int) -> Bool { origins[new] < 0 }
}
