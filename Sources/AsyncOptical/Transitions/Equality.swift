extension Equatable {
  /// Returns whether the other value has exactly this type and is equal.
  ///
  /// A cast would treat `Optional(1)` as 1, and would take most of the time that a `.latest` message needs.
  func equals<Other>(_ other: Other) -> Bool {
    guard Other.self == Self.self else { return false }
    return unsafe self == unsafeBitCast(other, to: Self.self)
  }
}

/// Returns whether two values have the same type and are equal or, without `==`, have the same description.
func areEqual(_ left: Any, _ right: Any) -> Bool {
  if let left = left as? any Equatable { return left.equals(right) }
  return type(of: left) == type(of: right) && "\(left)" == "\(right)"
}

/// Returns whether two values are equal or, if a NaN in them is not equal to itself, whether they have the same parts.
package func areSame(_ left: Any, _ right: Any) -> Bool {
  areEqual(left, right) || StateDifference(from: left, to: right, atMost: 0).lines.isEmpty
}
