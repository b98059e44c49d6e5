import Observation

extension Observed {
  /// The whole state; reading it tracks every change of the state.
  public var state: State { self[\.self] }

  /// One property of the state; reading it tracks the property.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { self[keyPath] }

  /// One property of the state; reading it tracks the property.
  @inlinable
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// The value at a key path; reading it tracks this key path alone.
  ///
  /// <!-- sample: import SwiftUI -->
  /// ```swift
  /// Text(profile[\.user.name])
  /// ```
  ///
  /// - Parameter keyPath: The path, which must be valid in every state.
  @inlinable
  public subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { PathComparison(dynamicallyAt: keyPath) }
    return current[keyPath: keyPath]
  }

  /// The value at a key path; reading it tracks this key path alone.
  @inlinable
  public subscript<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { PathComparison(at: keyPath) { $0 == $1 } }
    return current[keyPath: keyPath]
  }

  /// One element of a collection; reading it tracks the element alone.
  ///
  /// ```swift
  /// Text(profile[\.rows, at: 0] ?? "no rows")
  /// ```
  ///
  /// - Returns: The element; `nil` if the index is outside the collection's bounds.
  @inlinable
  public subscript<Elements: Collection>(
    _ keyPath: KeyPath<State, Elements>, at index: Elements.Index
  ) -> Elements.Element? where Elements.Index: Hashable, Elements.Element: Equatable {
    track(keyPath, at: index) {
      PathComparison(at: keyPath) { $0.ifPresent(at: index) == $1.ifPresent(at: index) }
    }
    return current[keyPath: keyPath].ifPresent(at: index)
  }

  /// Registers a read with the running observation tracking, if there is one; starts to follow the
  /// source.
  @usableFromInline
  func track(
    _ keyPath: AnyKeyPath, at index: AnyHashable? = nil, by comparison: () -> PathComparison
  ) {
    follow()
    registrar.access(
      PathSubject.shared, keyPath: paths.marker(of: keyPath, at: index, comparison: comparison))
  }
}

extension Collection {
  /// The element at an index; `nil` if the index is outside `startIndex..<endIndex`.
  @inlinable
  func ifPresent(at index: Index) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}
