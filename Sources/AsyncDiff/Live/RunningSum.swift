/// A sum of values that are added and removed.
///
/// If additions of the values round as in IEEE 754, as for `Double` and for types that wrap a `Double`, the sum is stored exactly
/// and rounded only in `value`, so removing a value leaves no error behind. The sum skips values that are not finite, because
/// subtracting infinity does not undo adding it. An integer sum may leave the range of its type and return to it; while it is out
/// of range, `value` is `nil`.
struct RunningSum<Value: Comparable & AdditiveArithmetic & Sendable>: Sendable {
  /// The rounded sum of floating-point values, or the sum of integers modulo the range of their type.
  private var low = Value.zero
  /// The rounding errors of floating-point additions to `low`.
  private var rest = Value.zero
  /// The rounding errors of additions to `rest`; usually empty.
  ///
  /// The errors are sorted by magnitude, and their bits do not overlap, so there are at most about forty of them.
  private var errors: [Value] = []
  /// The number of times that an integer sum has overflowed, minus the number of times that it has underflowed.
  private var carries = 0

  /// The sum, or `nil` if the sum does not fit into `Value`.
  var value: Value? {
    guard carries == 0 else { return nil }
    // Once the sum is infinite, the rounding errors are NaN.
    if isLost { return low }
    guard !errors.isEmpty else { return low + rest }
    var parts = errors
    for part in [rest, low] { Self.add(part, to: &parts) }
    return parts.reversed().reduce(.zero, +)
  }

  /// Whether a floating-point sum has become infinite and must be computed again.
  var isLost: Bool { !Self.isFinite(low) }

  static func isFinite(_ value: Value) -> Bool { value - value == .zero }

  mutating func add(_ values: some Sequence<Value>, isSubtracting: Bool = false) {
    guard let type = Value.self as? any FixedWidthInteger.Type else {
      for value in values where Self.isFinite(value) {
        var error =
          isSubtracting ? Self.subtract(value, from: &low) : Self.add(value, to: &low)
        error = Self.add(error, to: &rest)
        if error != .zero, !isLost { Self.add(error, to: &errors) }
      }
      return
    }
    addIntegers(values, isSubtracting, as: type)
  }

  /// Adds a value to a sum and returns the rounding error: Knuth's TwoSum, *The Art of Computer Programming*, volume 2, 4.2.2.
  ///
  /// Next to the largest finite value, `sum - old` can overflow although `sum` is finite. Then `sum - value` does not.
  private static func add(_ value: Value, to sum: inout Value) -> Value {
    let old = sum
    sum = old + value
    let added = sum - old
    let error = (old - (sum - added)) + (value - added)
    if isFinite(error) || !isFinite(sum) { return error }
    let kept = sum - value
    return (value - (sum - kept)) + (old - kept)
  }

  /// Subtracts a value from a sum and returns the rounding error; does not use a negation, because the type may be unsigned.
  private static func subtract(_ value: Value, from sum: inout Value) -> Value {
    let old = sum
    sum = old - value
    let removed = old - sum
    let error = (old - (sum + removed)) + (removed - value)
    if isFinite(error) || !isFinite(sum) { return error }
    let kept = sum + value
    return ((kept - sum) - value) + (old - kept)
  }

  /// Adds a value to parts of a sum: Shewchuk's Grow-Expansion, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
  /// Geometric Predicates", 1997.
  private static func add(_ value: Value, to parts: inout [Value]) {
    var sum = value
    parts = parts.map { part in add(part, to: &sum) }.filter { $0 != .zero }
    if sum != .zero { parts.append(sum) }
  }

  private mutating func addIntegers<Integer: FixedWidthInteger>(
    _ values: some Sequence<Value>, _ isSubtracting: Bool, as type: Integer.Type
  ) {
    // The cast is safe because `Integer` is `Value`.
    var sum = unsafe unsafeBitCast(low, to: Integer.self)
    for value in values {
      let integer = unsafe unsafeBitCast(value, to: Integer.self)
      let (result, hasOverflown) =
        isSubtracting
        ? sum.subtractingReportingOverflow(integer) : sum.addingReportingOverflow(integer)
      if hasOverflown { carries += (integer < 0) == isSubtracting ? 1 : -1 }
      sum = result
    }
    low = unsafe unsafeBitCast(sum, to: Value.self)
  }
}
