import AsyncDiff

/// Says what is wrong with a changeset, by rules that share nothing with how it was found.
enum ChangesetOracle {
  /// The first broken rule, or nil.
  static func complaint<ID: Hashable>(
    about change: Changeset, from old: [Row<ID>], to new: [Row<ID>], isMinimal: Bool = false
  ) -> String? {
    guard isAscending(change.deletes), isAscending(change.inserts),
      isAscending(change.moves.map(\.from)), isAscending(change.updates.map(\.from))
    else { return "not ascending" }

    guard let origins = replayed(change, oldCount: old.count, newCount: new.count)
    else { return "does not replay" }
    let updates = Dictionary(uniqueKeysWithValues: change.updates.map { ($0.to, $0.from) })
    for (offset, origin) in origins.enumerated() {
      guard let origin else {
        if updates[offset] != nil { return "an insert is updated" }
        continue
      }
      if old[origin].diffIdentifier != new[offset].diffIdentifier { return "pairs strangers" }
      let differs = old[origin].content != new[offset].content
      if updates[offset] != (differs ? origin : nil) { return "updates are not what differs" }
    }

    if let complaint = complaintAboutPairs(origins, old, new) { return complaint }
    guard isMinimal else { return nil }
    let survivors = origins.compactMap(\.self)
    guard change.moves.count == survivors.count - longestIncreasing(survivors)
    else { return "moves are not the fewest" }
    return complaintAboutPlaces(change, origins)
  }

  /// No row moves to the place that it has, if as few other moves can do without.
  private static func complaintAboutPlaces(_ change: Changeset, _ origins: [Int?]) -> String? {
    let inPlace = change.moves.filter { $0.from == $0.to }.count
    guard inPlace > 0 else { return nil }
    let survivors = origins.indices.compactMap { new in
      origins[new].map { (old: $0, isInPlace: $0 == new) }
    }
    var best: [(length: Int, inPlace: Int)] = []
    for (end, row) in survivors.enumerated() {
      let before: (length: Int, inPlace: Int) =
        survivors[..<end].indices
        .filter { survivors[$0].old < row.old }
        .map { best[$0] }.max(by: <) ?? (0, 0)
      best.append((before.length + 1, before.inPlace + (row.isInPlace ? 1 : 0)))
    }
    let kept = best.max(by: <)?.inPlace ?? 0
    let all = survivors.filter(\.isInPlace).count
    return inPlace == all - kept ? nil : "a row moves to its own place"
  }

  /// As many pairs of each identifier as there can be, none of which cross.
  private static func complaintAboutPairs<ID: Hashable>(
    _ origins: [Int?], _ old: [Row<ID>], _ new: [Row<ID>]
  ) -> String? {
    var balance: [ID: (old: Int, new: Int, pairs: Int, last: Int)] = [:]
    for row in old { balance[row.diffIdentifier, default: (0, 0, 0, -1)].old += 1 }
    for (offset, row) in new.enumerated() {
      var entry = balance[row.diffIdentifier, default: (0, 0, 0, -1)]
      entry.new += 1
      if let origin = origins[offset] {
        if origin < entry.last { return "pairs of one identifier cross" }
        entry.last = origin
        entry.pairs += 1
      }
      balance[row.diffIdentifier] = entry
    }
    return balance.values.allSatisfy { $0.pairs == min($0.old, $0.new) }
      ? nil : "deletes and inserts are not the differences"
  }

  /// The old offset of each new row after carrying the changes out as a table would.
  ///
  /// It takes rows away, then puts the inserted and the moved ones in ascending order where they belong.
  static func replayed(_ change: Changeset, oldCount: Int, newCount: Int) -> [Int?]? {
    var rows: [Int?] = Array(0..<oldCount)
    for row in (change.deletes + change.moves.map(\.from)).sorted(by: >) {
      guard rows.indices.contains(row), rows[row] == row else { return nil }
      rows.remove(at: row)
    }
    let arrivals =
      change.inserts.map { (to: $0, from: Int?.none) }
      + change.moves.map { (to: $0.to, from: Int?.some($0.from)) }
    for arrival in arrivals.sorted(by: { $0.to < $1.to }) {
      guard arrival.to >= 0, arrival.to <= rows.count else { return nil }
      rows.insert(arrival.from, at: arrival.to)
    }
    return rows.count == newCount ? rows : nil
  }

  /// Quadratic on purpose.
  static func longestIncreasing(_ values: [Int]) -> Int {
    var lengths: [Int] = []
    for (end, value) in values.enumerated() {
      var best = 0
      for start in 0..<end where values[start] < value { best = max(best, lengths[start]) }
      lengths.append(best + 1)
    }
    return lengths.max() ?? 0
  }

  private static func isAscending(_ values: [Int]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy(<)
  }
}
