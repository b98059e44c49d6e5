extension RowTree {
  /// A part of two versions that lies between nodes which both have, with the ranks of its first rows.
  typealias Block = (start: Changeset.Move, old: [Row], new: [Row])

  /// The parts in which this version differs from an older one; nil if they have more than a share
  /// of the rows, so that it is better to compare all.
  ///
  /// Nodes that both versions have are skipped, level by level, so nothing below them is looked at.
  ///
  /// - Parameters:
  ///   - old: The older version.
  ///   - share: One part of so many of all rows may differ.
  /// - Returns: The parts, in order.
  /// - Complexity: O(*k* log *n*) for *k* rows edited in between.
  func blocks(since old: RowTree, upTo share: Int) -> [Block]? {
    RowNode.differences(from: old.root, to: root, upTo: share)?.map { pair in
      (pair.start, Self.rows(of: pair.old), Self.rows(of: pair.new))
    }
  }

  /// The leaves that one version has and the other has not, in order.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows edited in between.
  func leaves(since old: RowTree) -> (gone: [Rows], come: [Rows]) {
    func rows(_ nodes: RowNode.Level) -> [Rows] {
      nodes.map { (Self.leaf(of: $0).rows, Self.leaf(of: $0).tags) }
    }
    let parts = RowNode.differences(from: old.root, to: root, upTo: 1) ?? []
    return (parts.flatMap { rows($0.old) }, parts.flatMap { rows($0.new) })
  }

  private static func rows(of leaves: RowNode.Level) -> [Row] {
    if leaves.count == 1 { return leaf(of: leaves[0]).rows }
    var rows: [Row] = []
    rows.reserveCapacity(leaves.reduce(0) { $0 + $1.count })
    for node in leaves { rows.append(contentsOf: leaf(of: node).rows) }
    return rows
  }
}

extension RowNode {
  /// Nodes of two versions that stand between nodes which both have.
  struct Difference {
    let start: Changeset.Move
    var old: Level = []
    var new: Level = []
  }

  /// The leaves in which two versions differ; nil if one part of `share` of the rows or more is in
  /// them.
  static func differences(
    from old: RowNode?, to new: RowNode?, upTo share: Int
  ) -> [Difference]? {
    guard old !== new else { return [] }
    let all = max(old?.count ?? 0, new?.count ?? 0)
    let start = Changeset.Move(from: 0, to: 0)
    var parts = [
      Difference(start: start, old: old.map { [$0] } ?? [], new: new.map { [$0] } ?? [])
    ]
    var heights = (old: old?.height ?? 0, new: new?.height ?? 0)
    while heights.old > 0 || heights.new > 0 {
      // The taller one is opened alone, until both have one height.
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
    let differing = parts.reduce(0) { sum, part in
      sum + max(part.old.reduce(0) { $0 + $1.count }, part.new.reduce(0) { $0 + $1.count })
    }
    return differing * share > all ? nil : parts
  }

  private static func children(of nodes: Level) -> Level {
    // Mostly it is one node, whose children need not be copied.
    nodes.count == 1 ? nodes[0].children : nodes.reduce(into: []) { $0 += $1.children }
  }

  /// Splits a part at the nodes that both versions have.
  ///
  /// Edits keep the order of the nodes, so these are a common subsequence.
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
    func id(_ row: RowNode) -> ObjectIdentifier { ObjectIdentifier(row) }
    func isContentEqual(_ old: RowNode, _ new: RowNode) -> Bool { true }
  }
}
