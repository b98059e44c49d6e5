extension Equatable {
  /// Whether the other value has this very type and is equal.
  ///
  /// No cast: it takes `Optional(1)` for 1, and most of the time of a `.latest` message.
  func equals<Other>(_ other: Other) -> Bool {
    guard Other.self == Self.self else { return false }
    return unsafe self == unsafeBitCast(other, to: Self.self)
  }
}

/// Whether two values have one type and are equal; without `==`, whether they print the same.
func areEqual(_ left: Any, _ right: Any) -> Bool {
  if let left = left as? any Equatable { return left.equals(right) }
  return type(of: left) == type(of: right) && "\(left)" == "\(right)"
}
