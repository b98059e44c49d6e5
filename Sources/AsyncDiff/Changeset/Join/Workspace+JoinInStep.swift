extension Workspace {
  @usableFromInline
  enum JoinOutcome {
    case joined
    /// Two rows of one list have the same identifier; their pairs might cross.
    case hasDuplicates
    /// The quick hash fails for these identifiers.
    case hasLongChains
    /// Most rows are out of place; joining all of them in order is cheaper.
    case isOutOfStep
  }

  /// Pairs the rows of two lists with unique identifiers by walking along both in step.
  ///
  /// Equal rows are only compared. At a difference, the rows ahead are compared with the two that
  /// differ, as far as rows were in step before. If that finds nothing, rows of both lists are
  /// entered into a table, in turns that grow, until one row matches a row that is still ahead in
  /// the other list; there the walk continues. A row that matches one which was passed is paired
  /// with it out of step. So a row is hashed at most once, and only near a difference. The table is
  /// that of Heckel, "A technique for isolating differences between files", 1978, which holds every
  /// row.
  ///
  /// - Complexity: Expected O(*n*).
  @inlinable
  mutating func joinInStep<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> JoinOutcome {
    table.reset(expecting: min(old.count, new.count) / 4)
    var walk = Walk()
    while true {
      pairInStep(old, new, &walk, keying: keying)
      let reunion = walk.reunion(old, new, keying: keying)
      walk.seeksMeeting = reunion == nil
      walk.hasMet = false
      let oldEnd = reunion?.old ?? old.count
      let newEnd = reunion?.new ?? new.count
      // Long turns are fast on the processor; short ones find what is near.
      var turn = reunion == nil ? 1 : Int(Int32.max)
      while walk.enteredOld < oldEnd || walk.enteredNew < newEnd, !walk.hasMet {
        let oldTurnEnd = min(oldEnd, walk.enteredOld + turn)
        while walk.enteredOld < oldTurnEnd, !walk.hasMet {
          let outcome = enterOld(old, new, &walk, keying: keying, hash: hash)
          guard outcome == .joined else { return outcome }
        }
        let newTurnEnd = min(newEnd, walk.enteredNew + turn)
        while walk.enteredNew < newTurnEnd, !walk.hasMet {
          let outcome = enterNew(old, new, &walk, keying: keying, hash: hash)
          guard outcome == .joined else { return outcome }
        }
        turn = min(turn &* 4, Int(Int32.max))
        let isLost = table.count > max(512, (old.count &+ new.count) / 8, 2 &* pairCount)
        if isLost, !walk.hasMet { return .isOutOfStep }
      }
      guard !walk.hasMet else { continue }
      guard let reunion else { return .joined }
      walk.old = reunion.old
      walk.new = reunion.new
    }
  }

  /// Pairs rows as long as they are the same.
  @inlinable
  mutating func pairInStep<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, _ walk: inout Walk, keying: Keying
  ) {
    var (i, j) = (walk.old, walk.new)
    while i < old.count, j < new.count {
      if i < walk.enteredOld, newOffsets[i] >= 0 {
        i &+= 1
      } else if j < walk.enteredNew, origins[j] != .none {
        j &+= 1
      } else if keying.id(old[i]) == keying.id(new[j]) {
        pair(i, j, .inStep, isContentEqual: keying.isContentEqual(old[i], new[j]))
        i &+= 1
        j &+= 1
        walk.foresight &+= 1
      } else {
        break
      }
    }
    walk.old = i
    walk.new = j
    walk.enteredOld = max(i, walk.enteredOld)
    walk.enteredNew = max(j, walk.enteredNew)
  }
}
