/// The count, sum, minimum and maximum of a section's values.
public struct LiveSummary<Value: Comparable & AdditiveArithmetic & Sendable>: Sendable {
  /// The number of values.
  public internal(set) var count = 0
  /// The sum of the values, in O(1).
  ///
  /// The error of a floating-point sum is at most one unit in the last place, whatever values were added and removed. The same
  /// holds for a type that wraps a floating-point number. A sum of `Decimal` is exact while it has at most 38 digits. A loop that
  /// adds the values one by one may give a slightly different result, because it rounds after each addition.
  ///
  /// Reading an integer sum that does not fit into its type traps.
  public var sum: Value {
    guard var sum = finiteSum.value else {
      fatalError(
        "LiveSummary.sum: the sum of \(count) values does not fit into \(Value.self); measure values of a wider type"
      )
    }
    // An infinite value or NaN is always the minimum or the maximum. If NaN hides an infinity, the sum is NaN anyway.
    for value in [minimum, maximum] {
      if let value, !RunningSum.isFinite(value) { sum += value }
    }
    return sum
  }
  /// The minimum, or `nil` if the section is empty; NaN counts as the greatest value.
  public internal(set) var minimum: Value?
  /// The maximum, or `nil` if the section is empty.
  public internal(set) var maximum: Value?
  var finiteSum = RunningSum<Value>()

  init() {}
}

/// An aggregate, such as a sum, over the rows of a section.
@usableFromInline
protocol SectionMeasure<Item>: Sendable {
  associatedtype Item: Sendable

  /// Removes the values of `removals` and adds those of `insertions`; returns whether each removed value was found.
  mutating func update(removing removals: TaggedRows<Item>, adding insertions: TaggedRows<Item>)
    -> Bool
}

/// The sorted values of a section's rows.
@usableFromInline
struct Measure<Item: Sendable, Value: Comparable & AdditiveArithmetic & Sendable>: SectionMeasure {
  /// Returns the values of some rows, sorted, in code that is specialized for the types of the rows and values.
  private let sorted: @Sendable (TaggedRows<Item>) -> TaggedRows<Value>
  private var values = RowTree<Value>()
  private var sum = RunningSum<Value>()

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
  mutating func update(removing removals: TaggedRows<Item>, adding insertions: TaggedRows<Item>)
    -> Bool
  {
    var merge = RowMerge(removing: sorted(removals), inserting: sorted(insertions))
    // Subtract first, because the sum of the old and the new values may not fit.
    sum.add(merge.removals.rows, isSubtracting: true)
    sum.add(merge.insertions.rows)
    let isFound = values.perform(&merge) {
      KeyOrder($0.row, $1.row).isBefore(orElse: $0.tag < $1.tag)
    }
    if sum.isLost { addUp() }
    return isFound
  }

  /// Computes the sum again; the result is infinite only if the exact sum is beyond the range of `Value` or close to its limit.
  private mutating func addUp() {
    sum = RunningSum()
    // Add the least remaining value while the sum is positive, otherwise the greatest one, so that opposite signs cancel out.
    var (start, end) = (0, values.count)
    while start < end {
      let isPositive = sum.value.map { $0 > .zero } ?? false
      if isPositive { start += 1 } else { end -= 1 }
      sum.add(CollectionOfOne(values[isPositive ? start - 1 : end]))
    }
  }
}
