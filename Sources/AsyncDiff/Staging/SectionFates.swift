/// What happens to each section, and where it was and is then.
struct SectionFates {
  /// The new offset of each old section, and the old one of each new one; nil if there is none.
  private(set) var targets: [Int?]
  private(set) var origins: [Int?]
  private var oldFates: [StageSchedule.Fate]
  private var newFates: [StageSchedule.Fate]

  init(_ change: SectionedChange, old oldCount: Int, new newCount: Int) {
    targets = Array(repeating: nil, count: oldCount)
    origins = Array(repeating: nil, count: newCount)
    oldFates = Array(repeating: .passes, count: oldCount)
    newFates = Array(repeating: .passes, count: newCount)
    let moves = change.operations.sectionMoves
    for (pairs, fate) in [(change.pairs, StageSchedule.Fate.rests), (moves, .moves)] {
      for pair in pairs {
        (targets[pair.from], origins[pair.to]) = (pair.to, pair.from)
        (oldFates[pair.from], newFates[pair.to]) = (fate, fate)
      }
    }
  }

  func operation(from old: Int, to new: Int) -> StageSchedule.Operation {
    .init(from: oldFates[old], to: newFates[new])
  }

  func operation(from old: Int) -> StageSchedule.Operation {
    .init(from: oldFates[old], to: oldFates[old])
  }

  func operation(to new: Int) -> StageSchedule.Operation {
    .init(from: newFates[new], to: newFates[new])
  }

  /// The kinds of the operations on items.
  func operations(of change: ListOperations) -> Set<StageSchedule.Operation> {
    var operations: Set<StageSchedule.Operation> = []
    for path in change.itemDeletes { operations.insert(operation(from: path.section)) }
    for path in change.itemInserts { operations.insert(operation(to: path.section)) }
    for move in change.itemMoves {
      operations.insert(operation(from: move.from.section, to: move.to.section))
    }
    return operations
  }

  /// Section moves, as few as there can be, of as few sections with changing items as can be.
  ///
  /// The sections that stay are an increasing subsequence of new offsets: the longest one, and of
  /// those the one with the most sections whose items change.
  ///
  /// - Complexity: O(sections log sections + operations).
  func movesOfRestingSections(in change: SectionedChange) -> [Changeset.Move] {
    var isTouched = Array(repeating: false, count: targets.count)
    let operations = change.operations
    for path in operations.itemDeletes + operations.itemMoves.map(\.from) {
      isTouched[path.section] = true
    }
    for path in operations.itemInserts + operations.itemMoves.map(\.to) {
      if let origin = origins[path.section] { isTouched[origin] = true }
    }
    let pairs = change.pairs
    // By new offset, the best subsequence that ends there: its score, and its last pair.
    let none = (score: 0, pair: -1)
    var best = PrefixTree(Array(repeating: none, count: origins.count), neutral: none) {
      $0.score >= $1.score ? $0 : $1
    }
    // By pair, the one before it in the best subsequence that ends with it.
    var before: [Int] = []
    for (index, pair) in pairs.enumerated() {
      let (score, last) = best.total(before: pair.to)
      before.append(last)
      best.add((score + pairs.count + (isTouched[pair.from] ? 2 : 1), index), at: pair.to)
    }
    var moved = Set(pairs.indices)
    var kept = best.total(before: origins.count).pair
    while kept >= 0 {
      moved.remove(kept)
      kept = before[kept]
    }
    return moved.sorted().map { pairs[$0] }
  }
}
