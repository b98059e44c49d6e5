/// The sections that the items of a change leave, enter and move in.
struct SectionTraffic {
  /// Whether an item moves out of a deleted section.
  private(set) var leavesDeleted = false
  /// Whether an item moves into an inserted section.
  private(set) var entersInserted = false
  /// Whether an item moves out of a deleted section into an inserted one.
  private(set) var goesThrough = false
  /// Whether items are removed from, inserted into or moved in each old section that stays.
  private(set) var isTouched: [Bool]
  /// The items that move between two sections that stay, by the old offsets of the sections.
  private var crossings: [(from: Int, to: Int)] = []
  /// The sections that receive an item of a deleted one, and those that give one to an inserted
  /// one.
  private var receivers: [Int] = []
  private var givers: [Int] = []

  init(_ change: SectionedChange, _ places: SectionPlaceTable) {
    isTouched = Array(repeating: false, count: places.targets.count)
    for path in change.itemDeletes { isTouched[path.section] = true }
    for path in change.itemInserts { isTouched[places.origins[path.section]] = true }
    for move in change.itemMoves {
      let from = move.from.section
      let to = places.origins[move.to.section]
      let isFromDeleted = places.isDeleted(from)
      leavesDeleted = leavesDeleted || isFromDeleted
      entersInserted = entersInserted || to < 0
      if !isFromDeleted { isTouched[from] = true }
      if to >= 0 { isTouched[to] = true }
      switch (isFromDeleted, to < 0) {
      case (true, true): goesThrough = true
      case (true, false): receivers.append(to)
      case (false, true): givers.append(from)
      case (false, false): if from != to { crossings.append((from, to)) }
      }
    }
  }

  /// Whether the items of a section that moves change.
  func touches(_ hasMoved: [Bool]) -> Bool {
    zip(isTouched, hasMoved).contains { $0 && $1 }
  }

  /// The stage, of two, in which each section moves while its items rest; nil if a section has no
  /// such stage.
  ///
  /// Sections that exchange items rest in the same stage. An item of a deleted section moves in the
  /// first stage, so the section that receives it moves in the second; an item of an inserted
  /// section moves in the second, so the section that gives it moves in the first.
  ///
  /// - Complexity: O(sections + items that move), nearly.
  func restingStages(ofMoved hasMoved: [Bool]) -> [Int]? {
    var groups = DisjointSets(count: hasMoved.count)
    for crossing in crossings where hasMoved[crossing.from] && hasMoved[crossing.to] {
      groups.join(crossing.from, crossing.to)
    }
    var stages = Array(repeating: 0, count: hasMoved.count)
    for (sections, stage) in [(receivers, 2), (givers, 1)] {
      for section in sections where hasMoved[section] {
        let group = groups.group(of: section)
        guard stages[group] == 0 || stages[group] == stage else { return nil }
        stages[group] = stage
      }
    }
    return hasMoved.indices.map { section in
      guard hasMoved[section] else { return 0 }
      return max(1, stages[groups.group(of: section)])
    }
  }
}

/// Groups of numbers that are joined step by step.
///
/// Each number points to another one of its group, up to the group's representative. A search
/// shortens the paths that it follows, and the smaller group joins the larger one (Tarjan 1975).
struct DisjointSets {
  private var parents: [Int]
  private var sizes: [Int]

  init(count: Int) {
    parents = Array(0..<count)
    sizes = Array(repeating: 1, count: count)
  }

  mutating func group(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ first: Int, _ second: Int) {
    let (first, second) = (group(of: first), group(of: second))
    guard first != second else { return }
    let (small, large) = sizes[first] < sizes[second] ? (first, second) : (second, first)
    parents[small] = large
    sizes[large] += sizes[small]
  }
}
