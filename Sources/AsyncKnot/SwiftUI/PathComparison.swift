/// Compares the values at a key path in two states.
///
/// The closure takes pointers, because a parameter of type `State` would copy all properties, and a stored closure with
/// generic parameters would look up their types for each new state.
@usableFromInline
@safe struct PathComparison {
  @usableFromInline typealias Differs = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

  private let closure: Differs

  @usableFromInline init(_ differs: @escaping Differs) { unsafe closure = differs }

  /// Returns whether the values differ.
  ///
  /// Both pointers must point to values of the state type for which the comparison was created.
  func differs(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    unsafe closure(old, new)
  }

  /// Compares the values at a key path.
  @inlinable
  init<State, Value>(
    at keyPath: KeyPath<State, Value>, by areEqual: @escaping (Value, Value) -> Bool
  ) {
    // Fast path: a stored property is read at its offset, without evaluating the key path.
    if let offset = MemoryLayout<State>.offset(of: keyPath) {
      unsafe self.init { old, new in
        unsafe !areEqual(
          (old + offset).assumingMemoryBound(to: Value.self).pointee,
          (new + offset).assumingMemoryBound(to: Value.self).pointee)
      }
    } else {
      unsafe self.init { old, new in
        unsafe !areEqual(
          old.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath],
          new.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath])
      }
    }
  }

  /// Compares the values at a key path with `==` if their type is `Equatable`.
  ///
  /// Values of any other type always count as different.
  @usableFromInline
  init<State, Value>(dynamicallyAt keyPath: KeyPath<State, Value>) {
    func opened<Known: Equatable>(_ type: Known.Type) -> PathComparison {
      // The downcast is safe because `Known` is `Value`.
      PathComparison(at: unsafe unsafeDowncast(keyPath, to: KeyPath<State, Known>.self), by: ==)
    }
    if let type = Value.self as? any Equatable.Type {
      self = opened(type)
    } else {
      unsafe self.init { _, _ in true }
    }
  }
}
