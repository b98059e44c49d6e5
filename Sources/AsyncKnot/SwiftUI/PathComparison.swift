/// Decides whether the value at a key path differs between two states.
///
/// The closure takes pointers: one of two states would receive copies of all their properties, and a
/// table of generic closures would look their types up for each new state.
@usableFromInline
@safe struct PathComparison {
  @usableFromInline typealias Differs = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

  private let closure: Differs

  @usableFromInline init(_ differs: @escaping Differs) { unsafe closure = differs }

  /// Whether the value differs; both states must be of the type that the comparison was made for.
  func differs(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    unsafe closure(old, new)
  }

  /// Compares the values at a key path.
  @inlinable
  init<State, Value>(
    at keyPath: KeyPath<State, Value>, by areEqual: @escaping (Value, Value) -> Bool
  ) {
    // A stored property needs no key path machinery: it lies at this offset in the state.
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

  /// Compares the values at a key path by their `==`; values without one differ in each state.
  @usableFromInline
  init<State, Value>(dynamicallyAt keyPath: KeyPath<State, Value>) {
    func opened<Known: Equatable>(_ type: Known.Type) -> PathComparison {
      // `Known` is `Value`.
      PathComparison(at: unsafe unsafeDowncast(keyPath, to: KeyPath<State, Known>.self), by: ==)
    }
    if let type = Value.self as? any Equatable.Type {
      self = opened(type)
    } else {
      unsafe self.init { _, _ in true }
    }
  }
}
