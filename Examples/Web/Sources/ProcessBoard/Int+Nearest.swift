extension Int {
  /// Creates the nearest integer that JavaScript can represent exactly; 0 for NaN.
  ///
  /// ```swift
  /// Int(nearest: 2.5)  // 3
  /// Int(nearest: .infinity)  // 9007199254740991
  /// ```
  /// Rates and sums are computed from the system's numbers, and must not trap, no matter how large these are.
  public init(nearest value: Double) {
    let limit = 0x1p53 - 1
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit).rounded())
  }
}
