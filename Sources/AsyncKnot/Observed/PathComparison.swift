/// Decides whether a tracked value differs between two states.
@usableFromInline
@safe struct PathComparison {
  /// The closure takes pointers, because a closure of two states would receive copies of all their
  /// properties.
  @usableFromInline
  typealias Differs = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

  let place: PathPlace
  private let closure: Differs

  @usableFromInline
  init(_ place: PathPlace, _ differs: @escaping Differs) {
    self.place = place
    unsafe closure = differs
  }

  /// Whether the value differs; both states must be of the type that the comparison was made for.
  func differs(_ states: BytePair) -> Bool { unsafe closure(states.old, states.new) }
}

extension PathComparison {
  /// Compares the values at a key path.
  @inlinable
  init<State, Value: Equatable>(at keyPath: KeyPath<State, Value>) {
    unsafe self.init(at: keyPath) { unsafe $0.pointee != $1.pointee }
  }

  /// Compares one element of the collections at a key path.
  @inlinable
  init<State, Elements: Collection>(
    at keyPath: KeyPath<State, Elements>, _ index: Elements.Index
  ) where Elements.Element: Equatable {
    unsafe self.init(at: keyPath) {
      unsafe $0.pointee.ifPresent(at: index) != $1.pointee.ifPresent(at: index)
    }
  }

  /// Compares the values at a key path whose value type is known to be `Equatable` only at run
  /// time.
  ///
  /// A value of another type differs in each state.
  @usableFromInline
  init<State, Value>(dynamicallyAt keyPath: KeyPath<State, Value>) {
    func opened<Known: Equatable>(_ type: Known.Type) -> PathComparison {
      // `Known` is `Value`.
      PathComparison(at: unsafe unsafeDowncast(keyPath, to: KeyPath<State, Known>.self))
    }
    if let type = Value.self as? any Equatable.Type {
      self = opened(type)
    } else {
      unsafe self.init(.anywhere) { _, _ in true }
    }
  }

  @inlinable
  init<State, Value>(
    at keyPath: KeyPath<State, Value>,
    _ differs: @escaping (UnsafePointer<Value>, UnsafePointer<Value>) -> Bool
  ) {
    // A path of stored properties needs no key path machinery: its value lies inside the state, at
    // this offset, bound to its type.
    if let offset = MemoryLayout<State>.offset(of: keyPath) {
      unsafe self.init(.bytes(offset, MemoryLayout<Value>.size)) { old, new in
        unsafe differs(
          (old + offset).assumingMemoryBound(to: Value.self),
          (new + offset).assumingMemoryBound(to: Value.self))
      }
    } else {
      unsafe self.init(.bytes(0, MemoryLayout<State>.size)) { old, new in
        let old = unsafe old.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
        let new = unsafe new.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
        return unsafe withUnsafePointer(to: old) { old in
          unsafe withUnsafePointer(to: new) { new in unsafe differs(old, new) }
        }
      }
    }
  }
}

/// The bytes of a state on which a value depends.
@usableFromInline
struct PathPlace: Sendable {
  let start: Int
  let end: Int

  /// The place of a value that may have changed even if no byte did.
  @usableFromInline static let anywhere = PathPlace(start: 0, end: .max)

  @usableFromInline
  static func bytes(_ start: Int, _ count: Int) -> PathPlace {
    PathPlace(start: start, end: start + count)
  }
}
