/// What a surface carries out at once, and which sections and items there are after it.
struct Stage: Equatable, Sendable {
  var sectionDeletes: [Int] = []
  var sectionInserts: [Int] = []
  var sectionMoves: [Changeset.Move] = []
  var itemDeletes: [ItemPath] = []
  var itemInserts: [ItemPath] = []
  var itemMoves: [ItemMove] = []
  var itemUpdates: [ItemMove] = []
  var sections: [StagedSection] = []
}

/// A section of a stage: where it comes from, and which items it has by then.
struct StagedSection: Equatable, Sendable {
  var section: Merged
  var items: Items

  enum Items: Equatable, Sendable {
    case allOld
    case allNew
    case merged([Merged])
  }
}

/// An element of a list on its way from old to new.
enum Merged: Hashable, Sendable {
  case old(Int)
  case new(Int)
  case both(old: Int, new: Int)
}

extension Merged {
  var old: Int? {
    switch self {
    case .old(let old), .both(let old, _): old
    case .new: nil
    }
  }

  var new: Int? {
    switch self {
    case .new(let new), .both(_, let new): new
    case .old: nil
    }
  }

  /// A list after a stage: what stays, with what has not gone and what has come by then.
  ///
  /// Elements that are in neither dictionary stay, and pair in order. Where one list has run out, they stay
  /// alone: the items of a section that only one list has.
  ///
  /// `goes` and `comes` say in which stage an old element goes and a new one comes.
  static func list(
    old oldCount: Int, new newCount: Int, goes: [Int: Int], comes: [Int: Int], after stage: Int
  ) -> [Merged] {
    var list: [Merged] = []
    var (old, new) = (0, 0)
    while old < oldCount || new < newCount {
      if old < oldCount, let leaves = goes[old] {
        if leaves > stage { list.append(.old(old)) }
        old += 1
      } else if new < newCount, let arrives = comes[new] {
        if arrives <= stage { list.append(.new(new)) }
        new += 1
      } else if new == newCount {
        list.append(.old(old))
        old += 1
      } else if old == oldCount {
        list.append(.new(new))
        new += 1
      } else {
        list.append(.both(old: old, new: new))
        old += 1
        new += 1
      }
    }
    return list
  }
}
