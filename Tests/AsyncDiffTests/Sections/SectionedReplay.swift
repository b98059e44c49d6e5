import AsyncDiff

/// A surface made of tokens, which carries stages out by position and refuses what a collection view would.
///
/// It shares nothing with the algorithm, nor with the strict surface of the test kit: it also refuses
/// operations on the items of a section that moves.
struct SectionedReplay {
  /// Stands for a section: an old one, or one that a stage inserted.
  struct Token: Hashable {
    var number: Int
  }

  struct Group {
    var token: Token
    /// The path that each item had in the old snapshot; nil for an inserted one.
    var origins: [ItemPath?]
  }

  /// The sections that an operation on items touches.
  typealias Operation = Set<Token>

  private(set) var groups: [Group]
  private(set) var deleted: Set<Token> = []
  private(set) var inserted: Set<Token> = []
  private(set) var moved: Set<Token> = []
  private(set) var operations: Set<Operation> = []
  private(set) var updated: Set<ItemPath> = []
  private(set) var updatedSections: Set<Token> = []
  private var tokens: Int

  init(_ counts: [Int]) {
    groups = counts.enumerated().map { section, count in
      Group(
        token: Token(number: section),
        origins: (0..<count).map { ItemPath(section: section, item: $0) })
    }
    tokens = counts.count
  }

  /// Carries a stage out, or says which rule it breaks.
  mutating func perform<Section>(_ batch: BatchUpdates<Section>) -> String? {
    let sizes = batch.snapshot.sections.indices.map(batch.snapshot.numberOfItems(in:))
    let before = groups
    guard
      let order = arrange(
        before.count, sizes.count, deletes: batch.sectionDeletes, inserts: batch.sectionInserts,
        moves: batch.sectionMoves)
    else { return "the sections do not reconcile" }

    let resting = Set(before.indices).subtracting(batch.sectionDeletes)
      .subtracting(batch.sectionMoves.map(\.from))
    var itemOrders: [Group] = []
    var seen = 0
    for (target, origin) in order.enumerated() {
      guard let origin else {
        tokens += 1
        let token = Token(number: tokens)
        inserted.insert(token)
        itemOrders.append(
          Group(token: token, origins: Array(repeating: nil, count: sizes[target])))
        continue
      }
      let deletes = batch.itemDeletes.filter { $0.section == origin }.map(\.item)
      let leaves = batch.itemMoves.filter { $0.from.section == origin }.map(\.from.item)
      let inserts = batch.itemInserts.filter { $0.section == target }.map(\.item)
      let arrivals = batch.itemMoves.filter { $0.to.section == target }
      seen += deletes.count + leaves.count + inserts.count + arrivals.count
      if !resting.contains(origin), !(deletes + leaves + inserts).isEmpty || !arrivals.isEmpty {
        return "items change in a section that moves"
      }
      guard
        let items = arrange(
          before[origin].origins.count, sizes[target], deletes: deletes + leaves,
          inserts: inserts + arrivals.map(\.to.item), moves: [])
      else { return "the items do not reconcile" }
      var origins = items.map { $0.flatMap { before[origin].origins[$0] } }
      for move in arrivals {
        origins[move.to.item] = before[move.from.section].origins[move.from.item]
      }
      itemOrders.append(Group(token: before[origin].token, origins: origins))
    }
    guard seen == batch.itemDeletes.count + batch.itemInserts.count + 2 * batch.itemMoves.count
    else { return "an item operation touches a section that goes or comes" }

    note(batch, before, itemOrders)
    groups = itemOrders
    for update in batch.sectionUpdates {
      guard order[update.to] == update.from,
        updatedSections.insert(groups[update.to].token).inserted
      else { return "a section's update names two sections, or none, or one twice" }
    }
    for update in batch.itemUpdates {
      let origin = groups[update.to.section].origins[update.to.item]
      guard let origin, before[update.from.section].origins[update.from.item] == origin,
        updated.insert(origin).inserted
      else { return "an update names two items, or none, or one twice" }
    }
    return nil
  }

  private mutating func note<Section>(
    _ batch: BatchUpdates<Section>, _ before: [Group], _ after: [Group]
  ) {
    deleted.formUnion(batch.sectionDeletes.map { before[$0].token })
    moved.formUnion(batch.sectionMoves.map { before[$0.from].token })
    for path in batch.itemDeletes {
      operations.insert([before[path.section].token])
    }
    for path in batch.itemInserts {
      operations.insert([after[path.section].token])
    }
    for move in batch.itemMoves {
      operations.insert([before[move.from.section].token, after[move.to.section].token])
    }
  }

  /// The old position of each new one: named ones first, the others in order.
  private func arrange(
    _ oldCount: Int, _ newCount: Int, deletes: [Int], inserts: [Int], moves: [Changeset.Move]
  ) -> [Int?]? {
    var stays = Set(0..<oldCount)
    for offset in deletes + moves.map(\.from) {
      guard stays.remove(offset) != nil else { return nil }
    }
    var free = Set(0..<newCount)
    var order = [Int?](repeating: nil, count: newCount)
    for offset in inserts + moves.map(\.to) {
      guard free.remove(offset) != nil else { return nil }
    }
    for move in moves { order[move.to] = move.from }
    guard stays.count == free.count else { return nil }
    for (old, new) in zip(stays.sorted(), free.sorted()) { order[new] = old }
    return order
  }

  /// Whether some schedule of so many stages, in which these sections move at once, carries all
  /// operations out by the same rules.
  func isPossible(inStages count: Int, moving moved: Set<Token>) -> Bool {
    let special = Array(deleted.union(inserted).union(moved))
    var stages: [Token: Int] = [:]
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
  func choicesOfMoves(oldCount: Int) -> [Set<Token>] {
    let survivors = groups.map(\.token).filter { $0.number < oldCount }
    var longest: [Set<Token>] = [[]]
    for choice in 0..<(1 << survivors.count) {
      let kept = survivors.indices.filter { choice >> $0 & 1 == 1 }.map { survivors[$0] }
      guard zip(kept, kept.dropFirst()).allSatisfy({ $0.number < $1.number }) else { continue }
      if kept.count > longest[0].count { longest = [] }
      if longest.isEmpty || kept.count == longest[0].count { longest.append(Set(kept)) }
    }
    return longest.map { Set(survivors).subtracting($0) }
  }
}
