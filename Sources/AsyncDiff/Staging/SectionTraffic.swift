/// Which sections the items of a change leave, enter and rest in.
struct SectionTraffic {
  /// Whether an item moves out of a deleted section.
  private(set) var leavesDeleted = false
  /// Whether an item moves into an inserted section.
  private(set) var entersInserted = false
  /// Whether an item moves out of a deleted section into an inserted one.
  private(set) var goesThrough = false
  /// By old offset, whether items go from, come to or move in a section that both lists have.
  private(set) var isTouched: [Bool]
  /// Items that move between two sections that both lists have, by the old offsets of these.
  private var crossings: [(from: Int, to: Int)] = []
  /// Sections that receive an item of a deleted one, and that give one to an inserted one.
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

  /// Whether something happens to the items of a section that moves.
  func touches(_ hasMoved: [Bool]) -> Bool {
    zip(isTouched, hasMoved).contains { $0 && $1 }
  }

  /// The one of two stages in which each section moves while its items rest; nil if one never rests.
  ///
  /// Sections that exchange items rest at the same time. What comes from a deleted section moves in the
  /// first stage, so the section that it comes to moves in the second; what goes to an inserted one the
  /// other way round.
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
/// Each number points towards the one that stands for its group; the ways are made shorter as they are gone,
/// and the smaller group joins the larger (Tarjan 1975).
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
