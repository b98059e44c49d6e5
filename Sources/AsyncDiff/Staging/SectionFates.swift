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
  /// those the one with the most sections whose items change. A tree of maxima (Fenwick 1994) has
  /// the best subsequence that ends before an offset.
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
    // By pair: the score of the best subsequence that ends there, and the pair before it.
    var best: [(score: Int, before: Int?)] = []
    var tree = [Int?](repeating: nil, count: origins.count + 1)
    func isBetter(_ pair: Int, than other: Int?) -> Bool {
      other.map { best[pair].score > best[$0].score } ?? true
    }
    for (index, pair) in pairs.enumerated() {
      var before: Int?
      var slot = pair.to
      while slot > 0 {
        if let other = tree[slot], isBetter(other, than: before) { before = other }
        slot &= slot - 1
      }
      let score = pairs.count + 1 + (isTouched[pair.from] ? 1 : 0)
      best.append(((before.map { best[$0].score } ?? 0) + score, before))
      slot = pair.to + 1
      while slot < tree.count {
        if isBetter(index, than: tree[slot]) { tree[slot] = index }
        slot += slot & -slot
      }
    }
    var hasMoved = Array(repeating: true, count: pairs.count)
    var kept = best.indices.max { best[$0].score < best[$1].score }
    while let pair = kept {
      hasMoved[pair] = false
      kept = best[pair].before
    }
    return pairs.indices.filter { hasMoved[$0] }.map { pairs[$0] }
  }
}
