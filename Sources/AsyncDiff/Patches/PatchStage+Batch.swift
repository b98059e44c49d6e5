/// Carries out stages that may come from strangers.
extension PatchStage {
  typealias Problem = PatchError
  typealias Snapshot = DiffableSnapshot<Section>

  /// The stage as a batch that leads from a snapshot.
  func batch(from old: Snapshot) throws(Problem) -> BatchUpdates<Section> {
    let origins = try sectionOrigins(count: old.sections.count)
    let placed = Snapshot(shown: try sections(of: old, at: origins))
    var operations = ListOperations(
      sectionDeletes: sectionDeletes.sorted(), sectionInserts: sectionInserts.map(\.at).sorted(),
      sectionMoves: sectionMoves.sorted { $0.from < $1.from }, itemDeletes: itemDeletes.sorted(),
      itemInserts: itemInserts.map(\.at).sorted(),
      itemMoves: itemMoves.sorted { $0.from < $1.from })
    let origin = BatchUpdates(from: old, to: placed, operations).pathMap.oldPath(of:)
    var shown = placed.shown
    operations.sectionUpdates = try updateSections(&shown, from: origins)
      .sorted { $0.from < $1.from }
    operations.itemUpdates = try updateItems(&shown, of: placed, from: origin)
      .sorted { $0.from < $1.from }
    return BatchUpdates(from: old, to: Snapshot(shown: shown), operations)
  }

  /// By new offset, where each section was; nil for one that comes.
  private func sectionOrigins(count: Int) throws(Problem) -> [Int?] {
    do throws(RowOrigins.Fault) {
      return try RowOrigins(
        count: count, leaving: sectionDeletes + sectionMoves.map(\.from),
        arriving: sectionInserts.map(\.at) + sectionMoves.map(\.to),
        moves: sectionMoves
      ).offsets
    } catch {
      switch error {
      case .outOfRange(let offset, let count): throw .noSection(offset, count: count)
      case .twice(let offset): throw .sectionTwice(offset)
      }
    }
  }

  /// The sections in their new places with the items that they have then, nothing updated yet.
  private func sections(
    of old: Snapshot, at origins: [Int?]
  ) throws(Problem) -> [ShownSection<Section>] {
    var leaving: [Int: [Int]] = [:]
    var arriving: [Int: [Int: Section.Item]] = [:]
    let resting = Set(origins.compactMap(\.self)).subtracting(sectionMoves.map(\.from))
    for path in itemDeletes + itemMoves.map(\.from) {
      guard old.sections.indices.contains(path.section) else {
        throw .noSection(path.section, count: old.sections.count)
      }
      guard old.itemIfPresent(at: path) != nil else {
        throw .noItem(path, count: old.sections[path.section].items.count)
      }
      guard resting.contains(path.section) else { throw .itemOfPassingSection(path) }
      leaving[path.section, default: []].append(path.item)
    }
    let moved = itemMoves.map { Placed(at: $0.to, value: old.item(at: $0.from)) }
    for item in itemInserts + moved {
      let path = item.at
      guard origins.indices.contains(path.section) else {
        throw .noSection(path.section, count: origins.count)
      }
      guard let origin = origins[path.section], resting.contains(origin) else {
        throw .itemOfPassingSection(path)
      }
      let other = arriving[path.section, default: [:]].updateValue(item.value, forKey: path.item)
      guard other == nil else { throw .itemTwice(path) }
    }
    var coming: [Int: ShownSection<Section>] = [:]
    for section in sectionInserts { coming[section.at] = section.value }
    var sections: [ShownSection<Section>] = []
    for (offset, origin) in origins.enumerated() {
      if let origin {
        sections.append(
          try old.sections[origin].exchanging(
            leaving[origin] ?? [], for: arriving[offset] ?? [:], from: origin, to: offset))
      } else if let section = coming[offset] {
        sections.append(section)
      }
    }
    return sections
  }

  private func updateSections(
    _ shown: inout [ShownSection<Section>], from origins: [Int?]
  ) throws(Problem) -> [Changeset.Move] {
    var updates: [Changeset.Move] = []
    var seen: Set<Int> = []
    for update in sectionUpdates {
      guard shown.indices.contains(update.at) else {
        throw .noSection(update.at, count: shown.count)
      }
      guard let origin = origins[update.at] else { throw .newSectionUpdated(update.at) }
      guard seen.insert(update.at).inserted else { throw .sectionTwice(update.at) }
      updates.append(Changeset.Move(from: origin, to: update.at))
      shown[update.at] = ShownSection(
        diffIdentifier: shown[update.at].diffIdentifier, content: update.value,
        items: shown[update.at].items)
    }
    return updates
  }

  private func updateItems(
    _ shown: inout [ShownSection<Section>], of placed: Snapshot,
    from originOf: (ItemPath) -> ItemPath?
  ) throws(Problem) -> [ItemMove] {
    var updates: [ItemMove] = []
    var seen: Set<ItemPath> = []
    for update in itemUpdates {
      let path = update.at
      guard shown.indices.contains(path.section) else {
        throw .noSection(path.section, count: shown.count)
      }
      guard let item = placed.itemIfPresent(at: path) else {
        throw .noItem(path, count: shown[path.section].items.count)
      }
      guard let origin = originOf(path) else { throw .newItemUpdated(path) }
      guard item.diffIdentifier == update.value.diffIdentifier else { throw .otherItem(path) }
      guard seen.insert(path).inserted else { throw .itemTwice(path) }
      updates.append(ItemMove(from: origin, to: path))
      shown[path.section].list[path.item] = update.value
    }
    return updates
  }
}

extension ShownSection {
  /// The section with other items in the place of those that leave it; the same where none does.
  fileprivate func exchanging(
    _ leaving: [Int], for arriving: [Int: Section.Item], from origin: Int, to offset: Int
  ) throws(PatchError) -> Self {
    guard !leaving.isEmpty || !arriving.isEmpty else { return self }
    let origins: RowOrigins
    do throws(RowOrigins.Fault) {
      origins = try RowOrigins(
        count: items.count, leaving: leaving, arriving: Array(arriving.keys))
    } catch {
      switch error {
      case .twice(let item): throw .itemTwice(ItemPath(section: origin, item: item))
      case .outOfRange(let item, let count):
        throw .noItem(ItemPath(section: offset, item: item), count: count)
      }
    }
    let rows = origins.offsets.enumerated().compactMap { place, origin in
      origin.map { items[$0] } ?? arriving[place]
    }
    return Self(diffIdentifier: diffIdentifier, content: content, items: rows)
  }
}
