extension Int {
  /// Creates the nearest integer that JavaScript can represent exactly; 0 for NaN.
  ///
  /// ```swift
  /// Int(nearest: 2.5)  // 3
  /// Int(nearest: .infinity)  // 9007199254740991
  /// ```
  /// Rates and sums of the system's numbers can be huge or NaN, so their conversion must not trap.
  public init(nearest value: Double) {
    let limit = 0x1p53 - 1
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit).rounded())
  }
}
