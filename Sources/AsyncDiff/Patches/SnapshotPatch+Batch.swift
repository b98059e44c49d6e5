/// Carries out stages from untrusted sources.
extension SnapshotPatch.Stage {
  typealias Snapshot = DiffableSnapshot<Section>

  /// Converts the stage to a batch that starts at a snapshot.
  func batch(from old: Snapshot) throws(Misfit) -> BatchUpdates<Section> {
    let staying = try StayingRows(
      leaving: sectionDeletes + sectionMoves.map(\.from),
      arriving: sectionInserts.map(\.at) + sectionMoves.map(\.to), count: old.sections.count,
      called: "section")
    var origins = staying.origins(count: old.sections.count)
    for move in sectionMoves { origins[move.to] = move.from }
    let placed = Snapshot(shown: try sections(of: old, at: origins))
    let operations = ListOperations(
      sectionDeletes: sectionDeletes.sorted(), sectionInserts: sectionInserts.map(\.at).sorted(),
      sectionMoves: sectionMoves.sorted { $0.from < $1.from }, itemDeletes: itemDeletes.sorted(),
      itemInserts: itemInserts.map(\.at).sorted(),
      itemMoves: itemMoves.sorted { $0.from < $1.from })
    var batch = BatchUpdates(from: old, to: placed, operations)
    try updateItems(of: &batch)
    try updateSections(of: &batch, from: origins)
    return batch
  }

  /// The sections at their new offsets, with their items after deletes, inserts and moves but before updates.
  private func sections(
    of old: Snapshot, at origins: [Int?]
  ) throws(Misfit) -> [ShownSection<Section>] {
    var leaving: [Int: [Int]] = [:]
    var arriving: [Int: [(place: Int, item: Section.Item)]] = [:]
    let resting = Set(origins.compactMap(\.self)).subtracting(sectionMoves.map(\.from))
    func requireRest(_ section: Int?, of path: ItemPath) throws(Misfit) {
      try requireFit(
        section.map(resting.contains) ?? false,
        "item \(path) is in a section that this stage also deletes, inserts or moves")
    }
    func take(_ path: ItemPath) throws(Misfit) -> Section.Item {
      let item = try old.known(path)
      try requireRest(path.section, of: path)
      leaving[path.section, default: []].append(path.item)
      return item
    }
    func put(_ item: Section.Item, at path: ItemPath) throws(Misfit) {
      try requireOffset(path.section, in: origins)
      try requireRest(origins[path.section], of: path)
      arriving[path.section, default: []].append((path.item, item))
    }
    for path in itemDeletes { _ = try take(path) }
    for move in itemMoves { try put(try take(move.from), at: move.to) }
    for insert in itemInserts { try put(insert.value, at: insert.at) }
    let coming = Dictionary(sectionInserts.lazy.map { ($0.at, $0.value) }) { $1 }
    var sections: [ShownSection<Section>] = []
    for (offset, origin) in origins.enumerated() {
      if let origin {
        sections.append(
          try old.sections[origin].exchanging(
            leaving[origin] ?? [], for: arriving[offset] ?? [], at: offset))
      } else if let section = coming[offset] {
        sections.append(section)
      }
    }
    return sections
  }

  private func updateSections(
    of batch: inout BatchUpdates<Section>, from origins: [Int?]
  ) throws(Misfit) {
    try requireUnique(sectionUpdates.map(\.at), called: "section")
    for update in sectionUpdates {
      try requireOffset(update.at, in: origins)
      guard let origin = origins[update.at] else {
        throw Misfit("section \(update.at) is updated, but this stage inserts it")
      }
      batch.operations.sectionUpdates.append(.init(from: origin, to: update.at))
      let section = batch.snapshot.sections[update.at]
      batch.snapshot.shown[update.at] = ShownSection(
        diffIdentifier: section.diffIdentifier, content: update.value, rows: section.rows)
    }
    batch.operations.sectionUpdates.sort { $0.from < $1.from }
  }

  private func updateItems(of batch: inout BatchUpdates<Section>) throws(Misfit) {
    try requireUnique(itemUpdates.map(\.at), called: "item")
    let map = batch.pathMap
    for update in itemUpdates {
      let item = try batch.snapshot.known(update.at)
      guard let origin = map.oldPath(of: update.at) else {
        throw Misfit("item \(update.at) is updated, but this stage inserts it")
      }
      try requireFit(
        item.diffIdentifier == update.value.diffIdentifier,
        "the update of item \(update.at) has the identifier “\(update.value.diffIdentifier)”, "
          + "but the item has the identifier “\(item.diffIdentifier)”")
      batch.operations.itemUpdates.append(ItemPath.Move(from: origin, to: update.at))
      batch.snapshot.shown[update.at.section].editItems { $0[update.at.item] = update.value }
    }
    batch.operations.itemUpdates.sort { $0.from < $1.from }
  }

  private func requireOffset(_ section: Int, in sections: [Int?]) throws(Misfit) {
    try requireFit(
      sections.indices.contains(section),
      "section \(section) is out of bounds; the number of sections is \(sections.count)")
  }

  private func requireUnique<Place: Hashable>(
    _ places: [Place], called name: String
  ) throws(Misfit) {
    var seen: Set<Place> = []
    for place in places where !seen.insert(place).inserted {
      throw Misfit("\(name) \(place) is named twice")
    }
  }
}

extension DiffableSnapshot {
  /// Returns the item at a path; throws if the path is out of bounds.
  fileprivate func known(_ path: ItemPath) throws(Misfit) -> Item {
    guard let item = itemIfPresent(at: path) else {
      throw Misfit("item \(path) is out of bounds; \(bounds(near: path))")
    }
    return item
  }
}

extension ShownSection {
  /// The section after some items have left and others have arrived.
  fileprivate func exchanging(
    _ leaving: [Int], for arriving: [(place: Int, item: Section.Item)], at offset: Int
  ) throws(Misfit) -> Self {
    guard !leaving.isEmpty || !arriving.isEmpty else { return self }
    let staying = try StayingRows(
      leaving: leaving, arriving: arriving.map(\.place), count: rows.count,
      called: "item", in: "section \(offset), ")
    var section = self
    section.editItems {
      $0.remove(at: staying.leaving)
      $0.insert(
        arriving.sorted { $0.place < $1.place }.map(\.item), at: staying.arriving)
    }
    return section
  }
}
