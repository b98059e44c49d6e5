/// The sum of values that come and go.
///
/// Values that are not finite are left out: nothing can be subtracted from what they make of a sum. That of integers may
/// be out of the range of their type for a while, or for as long as nobody asks for it.
struct RunningSum<Value: Comparable & AdditiveArithmetic & Sendable>: Sendable {
  /// The sum, without what does not fit into its bits.
  private var low = Value.zero
  /// How often the sum has left the range of an integer, upwards.
  private var carries = 0

  /// The sum; nil if it does not fit into its type.
  var value: Value? { carries == 0 ? low : nil }

  /// Whether the sum can only be added up anew, because it has become infinite.
  var isLost: Bool { !Self.isFinite(low) }

  static func isFinite(_ value: Value) -> Bool { value - value == .zero }

  /// Adds values, or subtracts them.
  mutating func add(_ values: some Sequence<Value>, isSubtracting: Bool = false) {
    guard let type = Value.self as? any FixedWidthInteger.Type else {
      for value in values where Self.isFinite(value) {
        if isSubtracting { low -= value } else { low += value }
      }
      return
    }
    addIntegers(values, isSubtracting, as: type)
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
