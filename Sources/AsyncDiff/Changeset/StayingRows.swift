/// The offsets of the rows that stay in order, before and after other rows have left and arrived.
struct StayingRows: Sendable {
  /// The old offsets of rows that are deleted or moved, ascending.
  var leaving: [Int] = []
  /// The new offsets of rows that are inserted or moved, ascending.
  var arriving: [Int] = []

  /// The new offset of an old row; nil if it left.
  ///
  /// - Complexity: O(log *k*) for *k* rows that left or arrived.
  func newOffset(of old: Int) -> Int? { Self.offset(of: old, without: leaving, with: arriving) }

  /// The old offset of a new row; nil if it arrived.
  ///
  /// - Complexity: O(log *k*) for *k* rows that left or arrived.
  func oldOffset(of new: Int) -> Int? { Self.offset(of: new, without: arriving, with: leaving) }

  private static func offset(of row: Int, without gone: [Int], with come: [Int]) -> Int? {
    let before = partitionPoint(0..<gone.count) { gone[$0] >= row }
    if before < gone.count, gone[before] == row { return nil }
    let rank = row - before
    // An arrival at offset `come[i]` has `come[i] - i` staying rows before it.
    return rank + partitionPoint(0..<come.count) { come[$0] - $0 > rank }
  }
}
