/// The nodes below one parent, in order, with the number of rows of each.
///
/// A tree of counts (Fenwick 1994) stores sums of rows, so that both the row of a node and the node
/// of a row are found in O(log *n*).
struct SiblingList: Sendable {
  /// The numbers of the nodes.
  private(set) var members: [Int] = []
  /// The number of rows of all members.
  private(set) var rowCount = 0
  private var sums: [Int] = [0]

  /// Adds a node at the end.
  ///
  /// - Complexity: O(log *n*).
  mutating func append(_ member: Int, rows: Int) {
    members.append(member)
    rowCount += rows
    let index = members.count
    var sum = rows
    var below = index - 1
    while below > index - (index & -index) {
      sum += sums[below]
      below -= below & -below
    }
    sums.append(sum)
  }

  /// Replaces all nodes.
  ///
  /// - Complexity: O(*n* log *n*).
  mutating func replaceAll(_ members: [Int], rows: (Int) -> Int) {
    self = SiblingList()
    for member in members { append(member, rows: rows(member)) }
  }

  /// Changes the number of rows of the node at a place by `rows`.
  ///
  /// - Complexity: O(log *n*).
  mutating func add(_ rows: Int, at place: Int) {
    rowCount += rows
    var index = place + 1
    while index < sums.count {
      sums[index] += rows
      index += index & -index
    }
  }

  /// The number of rows of all nodes before a place.
  ///
  /// - Complexity: O(log *n*).
  func rows(before place: Int) -> Int {
    var (rows, index) = (0, place)
    while index > 0 {
      rows += sums[index]
      index -= index & -index
    }
    return rows
  }

  /// The place of the node to which a row belongs, and the number of rows before that node.
  ///
  /// - Complexity: O(log *n*).
  func place(ofRow row: Int) -> (place: Int, rowsBefore: Int) {
    var (place, rows) = (0, 0)
    var step = members.count.greatestPowerOfTwo
    while step > 0 {
      if place + step <= members.count, rows + sums[place + step] <= row {
        place += step
        rows += sums[place]
      }
      step /= 2
    }
    return (place, rows)
  }
}

extension Int {
  /// The greatest power of two that is not greater than this number; 0 for 0.
  fileprivate var greatestPowerOfTwo: Int {
    self <= 0 ? 0 : 1 << (Int.bitWidth - 1 - leadingZeroBitCount)
  }
}
