import AsyncDiff

typealias Bytes = UnsafeBufferPointer<UInt8>.SubSequence

/// Checks a change of a list.
///
/// Each byte is a row, except the first 0, which ends the old list.
func complaintAboutLists(_ bytes: Bytes, _ alphabet: UInt8) -> String? {
  let lists = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    .map { $0.map { Row(diffIdentifier: Int($0 / 2 % max(1, alphabet)), content: Int($0 % 2)) } }
  guard lists.count == 2 else { return nil }
  let isUnique = lists.allSatisfy { Set($0.map(\.diffIdentifier)).count == $0.count }
  let change = Changeset(from: lists[0], to: lists[1])
  guard change == Changeset(from: lists[0].map(wrapped), to: lists[1].map(wrapped)) else {
    return "the change is different if the rows are type-erased"
  }
  if let complaint = ChangesetOracle.complaint(
    about: change, from: lists[0], to: lists[1], isMinimal: isUnique)
  {
    return complaint
  }
  let origins = ChangesetOracle.replayed(
    change, oldCount: lists[0].count, newCount: lists[1].count)
  return origins == lists[1].indices.map(change.offsets(from: lists[0].count).old(of:))
    ? nil : "offsets are wrong"
}

/// Wraps a row as a type-erased model of one of two types.
private func wrapped(_ row: Row<Int>) -> AnyNodable {
  row.diffIdentifier.isMultiple(of: 3)
    ? AnyNodable(Poll(id: row.diffIdentifier, votes: row.content))
    : AnyNodable(Article(row.diffIdentifier, "\(row.content)"))
}

/// Decodes the old and the new snapshot.
///
/// The first 0 ends the old snapshot, any other multiple of 8 starts one of six sections, with one of two headers, and any other
/// byte is an item.
private func snapshots(_ bytes: Bytes, areUnique: Bool) -> [Days]? {
  let snapshots = bytes.prefix(80)
    .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    .map { bytes in
      var days: [Day] = []
      var seen: Set<Int> = []
      for byte in bytes {
        let name = "\(byte / 8 % 6)"
        if byte % 8 != 0, let last = days.indices.last {
          let item = Article(Int(byte / 2 % 32), byte % 2 == 0 ? "" : "changed")
          if seen.insert(item.id).inserted || !areUnique { days[last].items.append(item) }
        } else if byte % 8 == 0, !days.contains(where: { $0.name == name }) {
          days.append(Day(name, header: byte >= 192 ? "new" : "", []))
        }
      }
      return Days(sections: days)
    }
  return snapshots.count == 2 ? snapshots : nil
}

func complaintAboutSections(_ bytes: Bytes, areUnique: Bool) -> String? {
  guard let snapshots = snapshots(bytes, areUnique: areUnique) else { return nil }
  return complaint(from: snapshots[0], to: snapshots[1])
}

/// Checks the stages between two snapshots, and their path map.
private func complaint(from old: Days, to new: Days) -> String? {
  let stages = old.batches(to: new)
  let map = old.pathMap(through: stages)
  if let complaint = StagingOracle.complaint(about: stages, from: old, to: new) {
    return complaint
  }
  var record = StageRecord(old)
  for stage in stages { _ = record.perform(stage) }
  let origins = record.rows.origins
  for path in new.paths {
    let origin = origins[path.section][path.item]
    guard map.oldPath(of: path) == origin else { return "oldPath(of: \(path)) is wrong" }
    if let origin, map.newPath(of: origin) != path { return "newPath(of: \(origin)) is wrong" }
  }
  return nil
}

/// Checks edits of a tree, each described by three bytes.
func complaintAboutTree(_ bytes: Bytes) -> String? {
  var driver = TreeDriver()
  var rest = bytes.prefix(90)
  while let kind = rest.popFirst(), let first = rest.popFirst(), let second = rest.popFirst() {
    if let complaint = driver.step(Int(kind), Int(first), Int(second)) { return complaint }
  }
  return nil
}

/// Checks a drag.
///
/// The first two bytes choose the row, its new position, and whether identifiers are unique. The other bytes are the old and the
/// new snapshot.
func complaintAboutDrag(_ bytes: Bytes) -> String? {
  var bytes = bytes
  guard let first = bytes.popFirst(), let second = bytes.popFirst(),
    let snapshots = snapshots(bytes, areUnique: first % 2 == 0)
  else { return nil }
  let (old, new) = (snapshots[0], snapshots[1])
  guard !old.paths.isEmpty else { return nil }
  let from = old.paths[Int(first / 2) % old.paths.count]
  let section = Int(second) % old.sections.count
  let room = old.sections[section].items.count - (section == from.section ? 1 : 0)
  let to = ItemPath(section: section, item: Int(second) / 8 % (room + 1))
  guard let moved = old.movingItem(at: from, to: to) else { return "a drag is refused" }
  let item = old.item(at: from)
  var sections = old.sections.map(\.items)
  sections[from.section].remove(at: from.item)
  sections[to.section].insert(item, at: to.item)
  guard moved.sections.map(\.items) == sections else { return "the row is in the wrong place" }
  let batch = BatchUpdates(
    from: old, to: moved, .init(itemMoves: [ItemPath.Move(from: from, to: to)]))
  var rows = StrictRows(old)
  guard (try? rows.perform(batch)) != nil else { return "the batch of a drag breaks a rule" }
  guard batch.pathMap.newPath(of: from) == to else { return "the path of the row is wrong" }
  if first % 2 == 0 {
    guard moved.batches(to: old).allSatisfy({ $0.count <= 1 }) else {
      return "putting a row back takes more than a move"
    }
    guard moved.paths.allSatisfy({ moved.path(ofItem: moved.item(at: $0).id) == $0 }) else {
      return "an item is not found after a drag"
    }
  }
  return complaint(from: moved, to: new)
}
