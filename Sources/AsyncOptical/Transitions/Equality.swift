extension Equatable {
  /// Returns whether the other value has exactly the type of this value and is equal to it.
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

/// Returns whether two values are equal, or differ only in parts that are not equal to themselves, such as NaN.
package func areSame(_ left: Any, _ right: Any) -> Bool {
  areEqual(left, right) || StateDifference(from: left, to: right, atMost: 0).lines.isEmpty
}
