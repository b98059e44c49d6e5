/// Checks changesets with rules that share no code with the library.
enum ChangesetOracle {
  /// The first broken rule, or nil.
  static func complaint<ID: Hashable>(
    about change: Changeset, from old: [Row<ID>], to new: [Row<ID>], isMinimal: Bool = false
  ) -> String? {
    guard isAscending(change.deletes), isAscending(change.inserts),
      isAscending(change.moves.map(\.from)), isAscending(change.updates.map(\.from))
    else { return "not ascending" }

    guard let origins = replayed(change, oldCount: old.count, newCount: new.count)
    else { return "does not lead to the new list" }
    let updates = Dictionary(uniqueKeysWithValues: change.updates.map { ($0.to, $0.from) })
    for (offset, origin) in origins.enumerated() {
      guard let origin else {
        if updates[offset] != nil { return "an insert is updated" }
        continue
      }
      if old[origin].diffIdentifier != new[offset].diffIdentifier {
        return "pairs rows with different identifiers"
      }
      let differs = old[origin].content != new[offset].content
      if updates[offset] != (differs ? origin : nil) { return "updates do not match the changes" }
    }

    if let complaint = complaintAboutPairs(origins, old, new) { return complaint }
    guard isMinimal else { return nil }
    let survivors = origins.compactMap(\.self)
    return change.moves.count == survivors.count - longestIncreasing(survivors)
      ? nil : "more moves than necessary"
  }

  /// Returns a complaint if the changeset pairs fewer rows of an identifier than possible.
  private static func complaintAboutPairs<ID: Hashable>(
    _ origins: [Int?], _ old: [Row<ID>], _ new: [Row<ID>]
  ) -> String? {
    var balance: [ID: (old: Int, new: Int, pairs: Int)] = [:]
    for row in old { balance[row.diffIdentifier, default: (0, 0, 0)].old += 1 }
    for (origin, row) in zip(origins, new) {
      balance[row.diffIdentifier, default: (0, 0, 0)].new += 1
      if origin != nil { balance[row.diffIdentifier, default: (0, 0, 0)].pairs += 1 }
    }
    return balance.values.allSatisfy { $0.pairs == min($0.old, $0.new) }
      ? nil : "deletes and inserts do not match the lists"
  }

  /// Carries out the changes in a table view's order, and returns the old offset of each new row.
  ///
  /// The order is: first remove the deleted and moved rows, then insert the new and moved rows in ascending order.
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

  /// The length of the longest increasing subsequence, computed by the simple quadratic algorithm.
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
