extension Workspace {
  @usableFromInline
  enum JoinOutcome {
    case joined
    /// Two rows of one list have the same identifier; a walk in step might let their pairs cross.
    case hasDuplicates
    /// The quick hash fails for these identifiers.
    case hasLongChains
  }

  /// Pairs the rows of two lists with unique identifiers by walking both in step.
  ///
  /// While the rows are the same, they are only compared. Where they differ, a few rows ahead are compared;
  /// when that does not help, rows of both lists are entered into a table by turns until one meets a row
  /// that the other walk has still before it, and there the walks go on. A row that meets one which was
  /// passed is paired with it out of step. So a row is hashed at most once, and only near a difference.
  /// The table is that of Heckel, "A technique for isolating differences between files", 1978, which holds
  /// every row.
  ///
  /// - Complexity: Expected O(*n*).
  @inlinable
  mutating func joinInStep<Keying: RowKeying>(
    _ old: Span<Keying.Row>, _ new: Span<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> JoinOutcome {
    table.reset(expecting: min(old.count, new.count) / 16)
    var entrance = Entrance()
    var i = 0
    var j = 0
    walk: while true {
      while i < old.count, j < new.count {
        if i < entrance.old, newOffsets[i] >= 0 {
          i &+= 1
        } else if j < entrance.new, origins[j] != .none {
          j &+= 1
        } else if keying.id(old[i]) == keying.id(new[j]) {
          pair(i, j, .inStep, isContentEqual: keying.isContentEqual(old[i], new[j]))
          i &+= 1
          j &+= 1
        } else {
          break
        }
      }

      let reunion = Self.reunion(old, new, i, j, keying: keying)
      let oldEnd = reunion?.old ?? old.count
      let newEnd = reunion?.new ?? new.count
      entrance.old = max(i, entrance.old)
      entrance.new = max(j, entrance.new)
      while entrance.old < oldEnd || entrance.new < newEnd {
        if entrance.old < oldEnd {
          let p = entrance.old
          entrance.old &+= 1
          switch enter(p, ofOld: true, old, new, keying: keying, hash: hash) {
          case .alone: break
          case .partner(let q):
            let isAhead = reunion == nil && q >= j
            pair(
              p, q, isAhead ? .inStep : .displaced,
              isContentEqual: keying.isContentEqual(old[p], new[q]))
            guard isAhead else { break }
            i = p &+ 1
            j = q &+ 1
            continue walk
          case .duplicate: return .hasDuplicates
          case .longChain: return .hasLongChains
          }
        }
        if entrance.new < newEnd {
          let q = entrance.new
          entrance.new &+= 1
          switch enter(q, ofOld: false, old, new, keying: keying, hash: hash) {
          case .alone: break
          case .partner(let p):
            let isAhead = reunion == nil && p >= i
            pair(
              p, q, isAhead ? .inStep : .displaced,
              isContentEqual: keying.isContentEqual(old[p], new[q]))
            guard isAhead else { break }
            i = p &+ 1
            j = q &+ 1
            continue walk
          case .duplicate: return .hasDuplicates
          case .longChain: return .hasLongChains
          }
        }
      }
      guard let reunion else { return .joined }
      i = reunion.old
      j = reunion.new
    }
  }

  /// How far the rows of each list were entered into the table.
  @usableFromInline
  struct Entrance {
    @usableFromInline var old = 0
    @usableFromInline var new = 0

    @inlinable
    init() {}
  }

  /// The nearest offsets at which the lists go on alike, if they are a few rows ahead.
  @inlinable
  static func reunion<Keying: RowKeying>(
    _ old: Span<Keying.Row>, _ new: Span<Keying.Row>, _ i: Int, _ j: Int, keying: Keying
  ) -> (old: Int, new: Int)? {
    guard i < old.count, j < new.count else { return nil }
    let oldID = keying.id(old[i])
    let newID = keying.id(new[j])
    for step in 1...3 {
      if i + step < old.count, keying.id(old[i + step]) == newID { return (i + step, j) }
      if j + step < new.count, keying.id(new[j + step]) == oldID { return (i, j + step) }
      if step == 1, i + 1 < old.count, j + 1 < new.count,
        keying.id(old[i + 1]) == keying.id(new[j + 1])
      {
        return (i + 1, j + 1)
      }
    }
    return nil
  }

  @usableFromInline
  enum Meeting {
    /// The first with this identifier; it waits in the table.
    case alone
    case partner(Int)
    case duplicate
    case longChain
  }

  /// Looks a row up in the table and enters it if its identifier is new there.
  @inlinable
  mutating func enter<Keying: RowKeying>(
    _ row: Int, ofOld isOld: Bool, _ old: Span<Keying.Row>, _ new: Span<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Meeting {
    let id = keying.id(isOld ? old[row] : new[row])
    let hashed = hash(id)
    var slot = table.slot(of: hashed)
    var steps = 0
    while true {
      let entry = table.entries[slot]
      if entry.code == 0 {
        let code = Int32(truncatingIfNeeded: isOld ? row &+ 1 : ~row)
        table.insert(IdentifierTable.Entry(hash: hashed, code: code), at: slot)
        return .alone
      }
      if entry.hash == hashed {
        let isOfOld = entry.code > 0
        let other = Int(isOfOld ? entry.code &- 1 : ~entry.code)
        if keying.id(isOfOld ? old[other] : new[other]) == id {
          let waits = isOfOld ? newOffsets[other] < 0 : origins[other] == .none
          return isOfOld != isOld && waits ? .partner(other) : .duplicate
        }
      }
      slot = table.slot(after: slot)
      steps &+= 1
      if hash.folds, steps > IdentifierTable.longestChain { return .longChain }
    }
  }
}
