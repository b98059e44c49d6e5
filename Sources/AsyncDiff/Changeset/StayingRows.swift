/// Maps between the old and the new offsets of the rows that a change does not delete, insert or move.
///
/// These rows keep their order and fill the offsets at which no other row arrives.
struct StayingRows: Sendable {
  /// The old offsets of deleted and moved rows, ascending.
  var leaving: [Int] = []
  /// The new offsets of inserted and moved rows, ascending.
  var arriving: [Int] = []

  /// The old offset of each new row; `nil` for a row that arrived.
  func origins(count: Int) -> [Int?] {
    var (removals, insertions, old) = (leaving[...], arriving[...], 0)
    return (0..<count - leaving.count + arriving.count).map { new in
      if insertions.first == new {
        insertions.removeFirst()
        return nil
      }
      while removals.first == old {
        removals.removeFirst()
        old += 1
      }
      defer { old += 1 }
      return old
    }
  }

  /// The new offset of an old row, found in O(log *k*) for *k* rows that left or arrived; `nil` if the row left.
  func newOffset(of old: Int) -> Int? { Self.offset(of: old, without: leaving, with: arriving) }

  /// The old offset of a new row; `nil` if the row arrived.
  func oldOffset(of new: Int) -> Int? { Self.offset(of: new, without: arriving, with: leaving) }

  private static func offset(of row: Int, without removals: [Int], with insertions: [Int]) -> Int? {
    let before = partitionPoint(0..<removals.count) { removals[$0] >= row }
    if before < removals.count, removals[before] == row { return nil }
    let rank = row - before
    // An arrival at offset `insertions[i]` has `insertions[i] - i` staying rows before it.
    return rank + partitionPoint(0..<insertions.count) { insertions[$0] - $0 > rank }
  }
}

extension StayingRows {
  /// Sorts and checks the offsets of the rows that leave a list of `count` rows, and of the rows that arrive.
  ///
  /// Throws if an offset is out of bounds or passed twice. In the error, `name` is the word for a row, and `list` precedes it.
  init(
    leaving: [Int], arriving: [Int], count: Int, called name: @autoclosure () -> String = "row",
    in list: @autoclosure () -> String = ""
  ) throws(Misfit) {
    self.init(leaving: leaving.sorted(), arriving: arriving.sorted())
    try Self.check(self.leaving, count: count, name, list)
    try Self.check(self.arriving, count: count - leaving.count + arriving.count, name, list)
  }

  private static func check(
    _ offsets: [Int], count: Int, _ name: () -> String, _ list: () -> String
  ) throws(Misfit) {
    var last: Int?
    for offset in offsets {
      try requireFit(
        offset >= 0 && offset < count,
        "\(list())\(name()) \(offset) is out of bounds; the number of \(name())s is \(count)")
      try requireFit(offset != last, "\(list())\(name()) \(offset) is named twice")
      last = offset
    }
  }
}

/// The error thrown by an operation on a list; the text states the broken rule and the offending value.
struct Misfit: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

func requireFit(_ fits: Bool, _ problem: @autoclosure () -> String) throws(Misfit) {
  if !fits { throw Misfit(problem()) }
}
