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
  ///
  /// - Returns: Whether the value of each row that is taken away was there.
  mutating func update(removing gone: TaggedRows<Item>, adding come: TaggedRows<Item>) -> Bool
}

/// The values of the rows, ascending.
@usableFromInline
struct Measure<Item: Sendable, Value: Comparable & AdditiveArithmetic & Sendable>: SectionMeasure {
  /// The values of rows, ascending, in code compiled for their type.
  private let sorted: @Sendable (TaggedRows<Item>) -> TaggedRows<Value>
  private var values = RowTree<Value>()
  private var sum = RunningSum<Value>()
  /// The number of values that were added or subtracted since the sum was made.
  private var changes = 0

  @inlinable
  init(_ value: @escaping @Sendable (Item) -> Value) {
    self.init(sorted: { rows in
      let values = zip(rows.rows, rows.tags).map { (row: value($0), tag: $1) }.sorted {
        KeyOrder($0.row, $1.row).isBefore(orElse: $0.tag < $1.tag)
      }
      return (values.map { $0.row }, values.map { $0.tag })
    })
  }

  @usableFromInline
  init(sorted: @escaping @Sendable (TaggedRows<Item>) -> TaggedRows<Value>) { self.sorted = sorted }

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
  mutating func update(removing gone: TaggedRows<Item>, adding come: TaggedRows<Item>) -> Bool {
    var merge = RowMerge(removing: sorted(gone), inserting: sorted(come))
    sum.add(merge.come.rows)
    sum.add(merge.gone.rows, isSubtracting: true)
    let isFound = values.perform(&merge) {
      KeyOrder($0.row, $1.row).isBefore(orElse: $0.tag < $1.tag)
    }
    let changed = merge.come.rows.count + merge.gone.rows.count
    changes = values.count == merge.come.rows.count ? 0 : changes + changed
    // Rounding must not add up.
    if changes > values.count || sum.isLost { addUp() }
    return isFound
  }

  private mutating func addUp() {
    (sum, changes) = (RunningSum(), 0)
    values.forEachLeaf { leaf, _ in sum.add(leaf) }
  }
}
