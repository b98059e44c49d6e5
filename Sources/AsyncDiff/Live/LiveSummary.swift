/// The number, the sum and the extremes of the values of a section's rows.
public struct LiveSummary<Value: Comparable & AdditiveArithmetic & Sendable>: Sendable {
  /// The number of values.
  public internal(set) var count = 0
  /// The sum of the values.
  ///
  /// That of floating-point numbers is kept by adding and subtracting, and added up anew from time to
  /// time: it may differ in its last bits from one that is added up from scratch.
  ///
  /// Ends the program if the values are integers whose sum does not fit into their type; nothing is added up
  /// that you do not ask for.
  ///
  /// - Complexity: O(1).
  public var sum: Value {
    guard var sum = finiteSum.value else {
      fatalError(
        "LiveSummary.sum: the sum of \(count) values does not fit into \(Value.self); measure a wider type"
      )
    }
    // What is not finite is at the ends of the order.
    for value in [minimum, maximum] {
      if let value, !RunningSum.isFinite(value) { sum += value }
    }
    return sum
  }
  /// The smallest value, a NaN being greater than all others; nil if there is none.
  public internal(set) var minimum: Value?
  /// The greatest value; nil if there is none.
  public internal(set) var maximum: Value?
  var finiteSum = RunningSum<Value>()

  init() {}
}

/// What is measured of the rows of a section.
@usableFromInline
protocol SectionMeasure<Item>: Sendable {
  associatedtype Item: Sendable

  /// Takes rows away, and adds others.
  mutating func update(removing gone: [Item], adding come: [Item])
}

/// The values of the rows, ascending.
@usableFromInline
struct Measure<Item: Sendable, Value: Comparable & AdditiveArithmetic & Sendable>: SectionMeasure {
  private let value: @Sendable (Item) -> Value
  private var values = RowTree<Value>()
  private var sum = RunningSum<Value>()
  /// The number of values that were added or subtracted since the sum was made.
  private var changes = 0

  @usableFromInline
  init(_ value: @escaping @Sendable (Item) -> Value) { self.value = value }

  /// The summary of what a section has measured.
  @usableFromInline
  static func summary(of measure: (any SectionMeasure<Item>)?) -> LiveSummary<Value> {
    (measure as? Self)?.summary ?? LiveSummary()
  }

  var summary: LiveSummary<Value> {
    var summary = LiveSummary<Value>()
    summary.count = values.count
    summary.finiteSum = sum
    if values.count > 0 {
      (summary.minimum, summary.maximum) = (values[0], values[values.count - 1])
    }
    return summary
  }

  @usableFromInline
  mutating func update(removing gone: [Item], adding come: [Item]) {
    let gone = gone.map(value).sorted { KeyOrder($0, $1) == .before }
    let come = come.map(value).sorted { KeyOrder($0, $1) == .before }
    // Of equal values it does not matter which one goes.
    var removed: [Int] = []
    for value in gone {
      removed.append(max(rank(of: value), (removed.last ?? -1) + 1))
    }
    sum.add(come)
    sum.add(gone, isSubtracting: true)
    values.perform(
      RowTree.Edit(
        ranks: RowNode.Ranks(removed: removed, inserted: come.map(rank(of:))), rows: come))
    changes = values.count == come.count ? 0 : changes + gone.count + come.count
    // Rounding must not add up.
    if changes > values.count || sum.isLost { addUp() }
  }

  private func rank(of value: Value) -> Int {
    values.prefixCount { other, _ in KeyOrder(other, value) == .before }
  }

  private mutating func addUp() {
    (sum, changes) = (RunningSum(), 0)
    values.forEachLeaf { leaf, _ in sum.add(leaf) }
  }
}
