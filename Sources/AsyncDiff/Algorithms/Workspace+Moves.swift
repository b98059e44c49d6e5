extension Workspace {
  /// The moves of the paired rows: all that are not in a longest increasing subsequence of new offsets.
  ///
  /// Patience sorting (Schensted 1961; Fredman 1975): each row goes on the leftmost pile whose top is not
  /// smaller, so there are as many piles as the subsequence is long. Going back from the last pile, the
  /// nearest row before on the pile before belongs to it. Piles are searched from the right with growing
  /// steps, for rows that are in order land there.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *k* rows out of order, O(1) if no row was paired out of step.
  @usableFromInline
  mutating func moves(oldCount: Int, offset: Int) -> [Changeset.Move] {
    guard !displaced.isEmpty else { return [] }
    piles.reserve(oldCount)
    tops.reserve(pairCount)
    var length = 0
    var last: Int32 = -1
    for row in 0..<oldCount {
      let value = newOffsets[row]
      guard value >= 0 else { continue }
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

    let count = pairCount - length
    guard count > 0 else { return [] }
    var moves = [Changeset.Move](repeating: Changeset.Move(from: 0, to: 0), count: count)
    var free = count
    var pile = Int32(truncatingIfNeeded: length - 1)
    var row = oldCount
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

  /// The leftmost of the piles whose top is not below the value; the last one's is not.
  private func leftmostPile(notBelow value: Int32, of count: Int) -> Int {
    var upper = count &- 1
    var step = 1
    while upper >= step, tops[upper &- step] > value {
      upper &-= step
      step &*= 16
    }
    var lower = max(0, upper &- step &+ 1)
    var length = upper &- lower
    while length > 0 {
      let half = (length &+ 1) &>> 1
      // All ones if the top is below. A branch could not be predicted.
      let isBelow = (Int(tops[lower &+ half &- 1]) &- Int(value)) &>> (Int.bitWidth &- 1)
      lower &+= half & isBelow
      length &-= half
    }
    return lower
  }
}
