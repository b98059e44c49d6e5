import AsyncDiff

/// Says what is wrong with stages, by rules that share nothing with how they were found.
enum StagingOracle {
  /// The first broken rule, or nil.
  static func complaint(
    about batches: [BatchUpdates<Day>], from old: Days, to new: Days
  ) -> String? {
    var replay = SectionedReplay(old.sections.indices.map(old.numberOfItems(in:)))
    for (number, batch) in batches.enumerated() {
      if let complaint = replay.perform(batch) { return "stage \(number): \(complaint)" }
    }
    guard batches.last?.snapshot ?? old == new else { return "leads elsewhere" }
    if batches.count > 1, replay.isPossible(inStages: batches.count - 1) {
      return "one stage too many"
    }
    return complaintAboutPairs(replay, old, new)
  }

  /// As many pairs of each identifier as can be, and an update for each that differs.
  private static func complaintAboutPairs(
    _ replay: SectionedReplay, _ old: Days, _ new: Days
  ) -> String? {
    var balance: [Int: (old: Int, new: Int, pairs: Int)] = [:]
    for section in old.sections.indices {
      for item in old.items(in: section) { balance[item.id, default: (0, 0, 0)].old += 1 }
    }
    for (section, group) in replay.groups.enumerated() {
      for (offset, origin) in group.origins.enumerated() {
        let item = new.item(at: ItemPath(section: section, item: offset))
        balance[item.id, default: (0, 0, 0)].new += 1
        guard let origin else { continue }
        guard old.item(at: origin).id == item.id else { return "pairs strangers" }
        guard (old.item(at: origin) != item) == replay.updated.contains(origin)
        else { return "updates are not what differs" }
        balance[item.id, default: (0, 0, 0)].pairs += 1
      }
    }
    return balance.values.allSatisfy { $0.pairs == min($0.old, $0.new) } ? nil : "loses an identity"
  }
}
