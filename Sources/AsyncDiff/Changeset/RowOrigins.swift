/// Where each row of a list was before some rows left and some arrived.
///
/// The rows that stay keep their order, and fill the places that the arriving ones leave free.
struct RowOrigins {
  /// What is wrong with the offsets.
  enum Fault: Error {
    /// An offset is not one of so many.
    case outOfRange(Int, count: Int)
    /// An offset leaves or arrives twice.
    case twice(Int)
  }

  /// By new offset, the old one; nil for a row that arrives from elsewhere.
  private(set) var offsets: [Int?]

  init(
    count: Int, leaving: [Int], arriving: [Int], moves: [Changeset.Move] = []
  ) throws(Fault) {
    let leaves = try Self.flags(leaving, count: count)
    let arrives = try Self.flags(arriving, count: count - leaving.count + arriving.count)
    var staying = leaves.indices.lazy.filter { !leaves[$0] }.makeIterator()
    offsets = []
    offsets.reserveCapacity(arrives.count)
    for hasArrived in arrives { offsets.append(hasArrived ? nil : staying.next()) }
    for move in moves { offsets[move.to] = move.from }
  }

  private static func flags(_ offsets: [Int], count: Int) throws(Fault) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for offset in offsets {
      guard flags.indices.contains(offset) else { throw .outOfRange(offset, count: count) }
      guard !flags[offset] else { throw .twice(offset) }
      flags[offset] = true
    }
    return flags
  }
}
