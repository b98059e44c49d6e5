/// A sum of values that are added and removed.
///
/// Skips values that are not finite, because subtracting infinity does not undo adding it. An integer sum may leave the range of
/// its type and return to it; while it is out of range, `value` is `nil`.
struct RunningSum<Value: Comparable & AdditiveArithmetic & Sendable>: Sendable {
  /// The sum modulo the range of an integer type.
  private var low = Value.zero
  /// The accumulated rounding error of floating-point additions, so that removing a huge value leaves no error behind.
  private var rest = Value.zero
  /// The number of times that an integer sum has overflowed, minus the number of times that it has underflowed.
  private var carries = 0

  /// The sum, or `nil` if the sum does not fit into `Value`.
  var value: Value? {
    guard carries == 0 else { return nil }
    // Once the sum is infinite, the accumulated error is NaN.
    return isLost ? low : low + rest
  }

  /// Whether a floating-point sum has become infinite and must be computed again.
  var isLost: Bool { !Self.isFinite(low) }

  static func isFinite(_ value: Value) -> Bool { value - value == .zero }

  mutating func add(_ values: some Sequence<Value>, isSubtracting: Bool = false) {
    guard let type = Value.self as? any FixedWidthInteger.Type else {
      let rounds = Value.self is any FloatingPoint.Type
      for value in values where Self.isFinite(value) {
        if rounds {
          addExactly(isSubtracting ? .zero - value : value)
        } else if isSubtracting {
          low -= value
        } else {
          low += value
        }
      }
      return
    }
    addIntegers(values, isSubtracting, as: type)
  }

  /// Adds a value and keeps the rounding error: TwoSum of Knuth, *The Art of Computer Programming*, volume 2, 4.2.2.
  private mutating func addExactly(_ value: Value) {
    let sum = low + value
    let added = sum - low
    rest += (low - (sum - added)) + (value - added)
    low = sum
  }

  private mutating func addIntegers<Integer: FixedWidthInteger>(
    _ values: some Sequence<Value>, _ isSubtracting: Bool, as type: Integer.Type
  ) {
    // Sound: `Integer` is `Value`.
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
