extension Int {
  /// The nearest whole number with which a script calculates exactly; 0 for what is no number.
  ///
  /// ```swift
  /// Int(nearest: 2.5)  // 3
  /// Int(nearest: .infinity)  // 9007199254740991
  /// ```
  /// Rates and sums come from what a system says; whatever that is, they do not trap.
  public init(nearest value: Double) {
    let limit = 0x1p53 - 1
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit).rounded())
  }
}
