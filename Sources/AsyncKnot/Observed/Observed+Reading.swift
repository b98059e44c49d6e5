import Observation

extension Observed {
  /// The whole state; reading it tracks every change of it.
  public var state: State { self[\.self] }

  /// One property of the state; reading it tracks the property.
  ///
  /// - Parameter keyPath: The property.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath, by: { PathComparison(dynamicallyAt: keyPath) })
    return current[keyPath: keyPath]
  }

  /// One property of the state; reading it tracks the property.
  ///
  /// - Parameter keyPath: The property.
  @inlinable
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath, by: { PathComparison(at: keyPath) })
    return current[keyPath: keyPath]
  }

  /// What a key path leads to; reading it tracks this key path alone.
  ///
  /// - Parameter keyPath: The path, which must be valid in every state.
  @inlinable
  public subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath, by: { PathComparison(dynamicallyAt: keyPath) })
    return current[keyPath: keyPath]
  }

  /// What a key path leads to; reading it tracks this key path alone.
  ///
  /// ```swift
  /// Text(profile[\.user.name])
  /// ```
  ///
  /// - Parameter keyPath: The path, which must be valid in every state.
  @inlinable
  public subscript<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath, by: { PathComparison(at: keyPath) })
    return current[keyPath: keyPath]
  }

  /// One element of a collection; reading it tracks the element alone.
  ///
  /// ```swift
  /// Text(profile[\.rows, at: 0] ?? "no rows")
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - index: Where the element is.
  /// - Returns: The element; `nil` where the collection has none.
  @inlinable
  public subscript<Elements: Collection>(
    _ keyPath: KeyPath<State, Elements>, at index: Elements.Index
  ) -> Elements.Element? where Elements.Index: Hashable, Elements.Element: Equatable {
    track(keyPath, at: index, by: { PathComparison(at: keyPath, index) })
    return current[keyPath: keyPath].ifPresent(at: index)
  }

  /// Notes a read with the tracking that runs now, if any.
  @usableFromInline
  func track(
    _ keyPath: AnyKeyPath, at index: AnyHashable? = nil,
    by comparison: () -> PathComparison
  ) {
    follow()
    let marker = paths.marker(of: keyPath, at: index, comparison: comparison)
    registrar.access(PathSubject.shared, keyPath: marker)
  }
}

extension Collection {
  /// The element at an index, or `nil` where there is none.
  @inlinable
  func ifPresent(at index: Index) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}
