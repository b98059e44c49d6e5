import Observation

extension Observed {
  /// The whole state.
  ///
  /// Reading it tracks every change of the state.
  public var state: State { self[\.self] }

  /// A property of the state.
  ///
  /// Reading it tracks the property.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { self[keyPath] }

  /// An `Equatable` property of the state.
  ///
  /// Reading it tracks the property.
  @inlinable
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// The value at a key path.
  ///
  /// Reading it tracks only this key path.
  ///
  /// <!-- sample: import SwiftUI -->
  /// ```swift
  /// Text(profile[\.user.name])
  /// ```
  ///
  /// - Parameter keyPath: A path that is valid in every state.
  @inlinable
  public subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { PathComparison(dynamicallyAt: keyPath) }
    return current[keyPath: keyPath]
  }

  /// The `Equatable` value at a key path.
  ///
  /// Reading it tracks only this key path.
  @inlinable
  public subscript<Value: Equatable>(_ keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { PathComparison(at: keyPath) { $0 == $1 } }
    return current[keyPath: keyPath]
  }

  /// An element of a collection.
  ///
  /// Reading it tracks only this element.
  ///
  /// ```swift
  /// Text(profile[\.rows, at: 0] ?? "no rows")
  /// ```
  ///
  /// - Returns: The element; `nil` if the index is outside the collection's bounds.
  @inlinable
  public subscript<Elements: RandomAccessCollection>(
    _ keyPath: KeyPath<State, Elements>, at index: Elements.Index
  ) -> Elements.Element? where Elements.Index: Hashable, Elements.Element: Equatable {
    track(keyPath, at: index) {
      PathComparison(at: keyPath) { $0.ifPresent(at: index) == $1.ifPresent(at: index) }
    }
    return current[keyPath: keyPath].ifPresent(at: index)
  }

  /// Starts to follow the source, and registers the read with the observation tracking that is running, if any.
  @usableFromInline
  func track(
    _ keyPath: AnyKeyPath, at index: AnyHashable? = nil, by comparison: () -> PathComparison
  ) {
    follow()
    registrar.access(
      PathSubject.shared, keyPath: paths.marker(of: keyPath, at: index, comparison: comparison))
  }
}

// This extension is only for random-access collections: an index of another collection, such as a set, may be invalid even within
// the bounds.
extension RandomAccessCollection {
  /// Returns the element at an index; `nil` if the index is outside `startIndex..<endIndex`.
  @inlinable
  func ifPresent(at index: Index) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}
