public import AsyncDiff

/// A row with an identifier, and content that can change.
public struct Row<ID: Hashable & Sendable>: Diffable, Hashable, Sendable {
  /// The identifier of the row.
  public var diffIdentifier: ID
  /// The content that a list would show.
  public var content: Int

  /// Creates a row with an identifier and content.
  public init(diffIdentifier: ID, content: Int = 0) {
    self.diffIdentifier = diffIdentifier
    self.content = content
  }
}

/// An old and a new list, and the number of diffs in one measurement.
public struct FlatWorkload<ID: Hashable & Sendable>: Sendable {
  /// The workload's letter in the tables.
  public let name: String
  /// A description of the change.
  public let summary: String
  /// The list before the change.
  public let old: [Row<ID>]
  /// The list after the change.
  public let new: [Row<ID>]
  /// The number of diffs in one measurement.
  public var repetitions = 1
}

extension FlatWorkload {
  /// Creates `count` rows, and deletes, inserts and shuffles the given ranges.
  static func edited(
    _ name: String, _ summary: String, count: Int, deletes: Range<Int>, inserts: Range<Int>,
    shuffled: Range<Int>, random: inout SplitMix64, id: (inout SplitMix64) -> ID
  ) -> Self {
    let old = (0..<count).map { _ in Row(diffIdentifier: id(&random)) }
    var new = old
    new.removeSubrange(deletes)
    new.insert(
      contentsOf: inserts.map { _ in Row(diffIdentifier: id(&random)) }, at: inserts.lowerBound)
    new[shuffled].shuffle(using: &random)
    return Self(name: name, summary: summary, old: old, new: new)
  }

  /// Creates `count` rows, deletes `edits` of them, inserts `edits` new rows at random indices, and then
  /// swaps random rows `moves` times.
  public static func scattered(
    _ name: String, _ summary: String, count: Int, edits: Int, moves: Int,
    id: (inout SplitMix64) -> ID
  ) -> Self {
    var random = SplitMix64(4)
    let old = (0..<count).map { _ in Row(diffIdentifier: id(&random)) }
    let gone = Set((0..<count).shuffled(using: &random).prefix(edits))
    let places = Set((0..<count).shuffled(using: &random).prefix(edits))
    var new: [Row<ID>] = []
    for (offset, row) in old.enumerated() {
      if places.contains(offset) { new.append(Row(diffIdentifier: id(&random))) }
      if !gone.contains(offset) { new.append(row) }
    }
    for _ in 0..<moves {
      new.swapAt(
        Int.random(in: 0..<new.count, using: &random), Int.random(in: 0..<new.count, using: &random)
      )
    }
    return Self(name: name, summary: summary, old: old, new: new)
  }
}

/// A random number generator whose numbers depend only on its seed.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(_ seed: UInt64) { state = seed }

  /// Returns the next random number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
