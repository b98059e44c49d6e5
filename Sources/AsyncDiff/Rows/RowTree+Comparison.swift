extension RowTree {
  /// A part in which two versions differ, between pages that both versions share; `start` contains the old and the new rank of
  /// the part's first row.
  typealias Block = (start: Changeset.Move, old: [Row], new: [Row])

  /// The parts in which this version differs from an older one, in order.
  ///
  /// Skips shared pages level by level and visits nothing below them, so it takes O(*k* log *n*) for *k* edited rows.
  ///
  /// - Parameters:
  ///   - old: The older version.
  ///   - share: The parts may contain at most 1/`share` of the rows.
  /// - Returns: The parts; `nil` if they contain more rows, because comparing all rows is then faster.
  func blocks(since old: RowTree, upTo share: Int) -> [Block]? {
    let parts = RowPage.differences(from: old.root, to: root)
    let differing = parts.reduce(0) { sum, part in
      sum + max(part.old.reduce(0) { $0 + $1.count }, part.new.reduce(0) { $0 + $1.count })
    }
    guard differing * share <= max(old.count, count) else { return nil }
    return parts.map { ($0.start, Self.rows(of: $0.old), Self.rows(of: $0.new)) }
  }

  /// The leaves that only one of the versions has, in order, found in O(*k* log *n*) for *k* edited rows.
  func leaves(since old: RowTree) -> (removed: [TaggedRows<Row>], added: [TaggedRows<Row>]) {
    func rows(_ pages: RowPage.Level) -> [TaggedRows<Row>] {
      pages.map { (Self.leaf(of: $0).rows, Self.leaf(of: $0).tags) }
    }
    let parts = RowPage.differences(from: old.root, to: root)
    return (parts.flatMap { rows($0.old) }, parts.flatMap { rows($0.new) })
  }

  private static func rows(of leaves: RowPage.Level) -> [Row] {
    if leaves.count == 1 { return leaf(of: leaves[0]).rows }
    var rows: [Row] = []
    rows.reserveCapacity(leaves.reduce(0) { $0 + $1.count })
    for page in leaves { rows.append(contentsOf: leaf(of: page).rows) }
    return rows
  }
}

extension RowPage {
  /// A run of differing pages of two versions, between pages that both versions share.
  struct Difference {
    let start: Changeset.Move
    var old: Level = []
    var new: Level = []
  }

  /// The differing leaves of two versions.
  static func differences(from old: RowPage?, to new: RowPage?) -> [Difference] {
    guard old !== new else { return [] }
    let start = Changeset.Move(from: 0, to: 0)
    var parts = [
      Difference(start: start, old: old.map { [$0] } ?? [], new: new.map { [$0] } ?? [])
    ]
    var heights = (old: old?.height ?? 0, new: new?.height ?? 0)
    while heights.old > 0 || heights.new > 0 {
      // Descend only in the taller version until both versions have the same height.
      let opensOld = heights.old >= heights.new
      let opensNew = heights.new >= heights.old
      if opensOld { heights.old -= 1 }
      if opensNew { heights.new -= 1 }
      var next: [Difference] = []
      for part in parts {
        Self.skipShared(
          Difference(
            start: part.start,
            old: opensOld ? children(of: part.old) : part.old,
            new: opensNew ? children(of: part.new) : part.new),
          &next)
      }
      parts = next
    }
    return parts
  }

  private static func children(of pages: Level) -> Level {
    // In the common case of one page, avoid a copy.
    pages.count == 1 ? pages[0].children : pages.reduce(into: []) { $0 += $1.children }
  }

  /// Splits a part at the pages that both versions share.
  ///
  /// Edits keep the order of pages, so the shared pages are a common subsequence.
  private static func skipShared(_ part: Difference, _ parts: inout [Difference]) {
    let change = Changeset(from: part.old, to: part.new, keying: Keying())
    var deletes = change.deletes[...]
    var inserts = change.inserts[...]
    var (old, new) = (0, 0)
    var start = part.start
    var open: Difference?
    while old < part.old.count || new < part.new.count {
      if deletes.first == old {
        open = open ?? Difference(start: start)
        open?.old.append(part.old[old])
        start.from += part.old[old].count
        deletes.removeFirst()
        old += 1
      } else if inserts.first == new {
        open = open ?? Difference(start: start)
        open?.new.append(part.new[new])
        start.to += part.new[new].count
        inserts.removeFirst()
        new += 1
      } else {
        if let done = open.take() { parts.append(done) }
        start.from += part.old[old].count
        start.to += part.new[new].count
        (old, new) = (old + 1, new + 1)
      }
    }
    if let open { parts.append(open) }
  }

  private struct Keying: RowKeying {
    func id(_ row: RowPage) -> ObjectIdentifier { ObjectIdentifier(row) }
    func isContentEqual(_ old: RowPage, _ new: RowPage) -> Bool { true }
  }
}
