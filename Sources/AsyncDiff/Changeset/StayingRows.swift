/// The offsets of the rows that stay in order, before and after other rows have left and arrived.
///
/// The rows that stay keep their order, and fill the places that the arriving ones leave free.
struct StayingRows: Sendable {
  /// The old offsets of rows that are deleted or moved, ascending.
  var leaving: [Int] = []
  /// The new offsets of rows that are inserted or moved, ascending.
  var arriving: [Int] = []

  /// By new offset, the old one of each row of a list; nil for one that arrived.
  ///
  /// - Complexity: O(rows)
  func origins(count: Int) -> [Int?] {
    var (gone, come, old) = (leaving[...], arriving[...], 0)
    return (0..<count - leaving.count + arriving.count).map { new in
      if come.first == new {
        come.removeFirst()
        return nil
      }
      while gone.first == old {
        gone.removeFirst()
        old += 1
      }
      defer { old += 1 }
      return old
    }
  }

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

extension StayingRows {
  /// Sorts the offsets of rows that leave a list of so many rows, and of those that arrive.
  ///
  /// An offset that is not one of the list, or leaves or arrives twice, is an error, in which the rows are
  /// called by a name.
  init(
    leaving: [Int], arriving: [Int], count: Int, called name: @autoclosure () -> String = "row"
  ) throws(Misfit) {
    self.init(leaving: leaving.sorted(), arriving: arriving.sorted())
    try Self.check(self.leaving, count: count, name)
    try Self.check(self.arriving, count: count - leaving.count + arriving.count, name)
  }

  private static func check(
    _ offsets: [Int], count: Int, _ name: () -> String
  ) throws(Misfit) {
    var last: Int?
    for offset in offsets {
      try requireFit(
        offset >= 0 && offset < count, "\(name()) \(offset) is out of bounds; there are \(count)")
      try requireFit(offset != last, "\(name()) \(offset) is named twice")
      last = offset
    }
  }
}

/// Why operations do not fit a list: the rule and the value.
struct Misfit: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Throws if operations break a rule.
func requireFit(_ fits: Bool, _ problem: @autoclosure () -> String) throws(Misfit) {
  if !fits { throw Misfit(problem()) }
}
