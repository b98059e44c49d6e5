extension Workspace {
  /// The moves of the paired rows: all rows outside a longest increasing subsequence of new offsets.
  ///
  /// Patience sorting (Schensted 1961; Fredman 1975): each row is put on the leftmost pile whose top is at least the row's new
  /// offset, or else on a new pile, so the number of piles is the length of the subsequence. The subsequence is read backward:
  /// after a row on one pile, it continues with the nearest earlier row on the previous pile. The search for a pile starts at the
  /// right, where rows in order belong, and takes growing steps.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *k* rows out of order; O(unpaired rows) if the table paired no row.
  mutating func moves(oldCount: Int, offset: Int) -> [Changeset.Move] {
    let rows = rowsOutOfOrder(of: oldCount)
    guard !rows.isEmpty else { return [] }
    piles.reserve(oldCount)
    tops.reserve(rows.count)
    var pairs = 0
    var length = 0
    var last: Int32 = -1
    for row in rows {
      let value = newOffsets[row]
      guard value >= 0 else { continue }
      pairs &+= 1
      var pile = length
      if value > last {
        length &+= 1
        last = value
      } else {
        pile = leftmostPile(notBelow: value, of: length)
        if pile == length &- 1 { last = value }
      }
      tops[pile] = value
      piles[row] = Int32(truncatingIfNeeded: pile)
    }

    let count = pairs - length
    guard count > 0 else { return [] }
    var moves = [Changeset.Move](repeating: Changeset.Move(from: 0, to: 0), count: count)
    var free = count
    var pile = Int32(truncatingIfNeeded: length - 1)
    var row = rows.upperBound
    while free > 0 {
      row &-= 1
      let value = newOffsets[row]
      guard value >= 0 else { continue }
      if piles[row] == pile {
        pile &-= 1
      } else {
        free &-= 1
        moves[free] = Changeset.Move(from: offset + row, to: offset + Int(value))
      }
    }
    return moves
  }

  /// The range of old rows in which pairs cross.
  ///
  /// Pairs from the walks are in order, so only pairs from the table can cross other pairs.
  private func rowsOutOfOrder(of oldCount: Int) -> Range<Int> {
    guard let old = oldRest.partnered(newOffsets), let new = newRest.partnered(oldOffsets) else {
      return 0..<0
    }
    var (first, last) = (old.lowerBound, old.upperBound)
    while first > 0, newOffsets[first &- 1] < 0 || newOffsets[first &- 1] > new.lowerBound {
      first &-= 1
    }
    while last &+ 1 < oldCount, newOffsets[last &+ 1] < new.upperBound { last &+= 1 }
    return first..<last + 1
  }

  /// The leftmost pile whose top is at least `value`; the top of the last pile must be at least `value`.
  private func leftmostPile(notBelow value: Int32, of count: Int) -> Int {
    var upper = count &- 1
    var step = 1
    while upper >= step, tops[upper &- step] > value {
      upper &-= step
      step &*= 16
    }
    var lower = max(0, upper &- step &+ 1)
    var length = upper &- lower
    // Splits into four parts at a time, without branches, because the branches would be unpredictable.
    while length > 3 {
      let part = length &>> 2
      let middle = lower &+ part &- 1
      let below =
        isTop(middle, below: value) &+ isTop(middle &+ part, below: value)
        &+ isTop(middle &+ 2 &* part, below: value)
      lower &+= part &* below
      length &-= 3 &* part
    }
    while length > 0 {
      lower &+= isTop(lower, below: value)
      length &-= 1
    }
    return lower
  }

  /// 1 if the top of the pile is below the value, otherwise 0.
  private func isTop(_ pile: Int, below value: Int32) -> Int {
    // The shift extracts the sign of the difference: −1 if the top is at least the value, otherwise 0.
    (Int(value) &- 1 &- Int(tops[pile])) &>> (Int.bitWidth &- 1) &+ 1
  }
}
