/// Where each row of a list was before some rows left and some arrived.
///
/// The rows that stay keep their order, and fill the places that the arriving ones leave free.
struct RowOrigins {
  /// By new offset, the old one; nil for a row that arrives from elsewhere.
  private(set) var offsets: [Int?] = []

  /// Finds the origins.
  ///
  /// An offset that is not one of the list, or leaves or arrives twice, is an error, in which the rows are
  /// called by a name.
  init(
    count: Int, leaving: [Int], arriving: [Int], moves: [Changeset.Move] = [],
    called name: @autoclosure () -> String = "row"
  ) throws(Misfit) {
    let leaves = try Self.flags(leaving, count: count, name)
    let arrives = try Self.flags(arriving, count: count - leaving.count + arriving.count, name)
    var staying = leaves.indices.lazy.filter { !leaves[$0] }.makeIterator()
    offsets.reserveCapacity(arrives.count)
    for hasArrived in arrives { offsets.append(hasArrived ? nil : staying.next()) }
    for move in moves { offsets[move.to] = move.from }
  }

  private static func flags(
    _ offsets: [Int], count: Int, _ name: () -> String
  ) throws(Misfit) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for offset in offsets {
      try requireFit(
        flags.indices.contains(offset), "\(name()) \(offset) is out of bounds; there are \(count)")
      try requireFit(!flags[offset], "\(name()) \(offset) is named twice")
      flags[offset] = true
    }
    return flags
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
