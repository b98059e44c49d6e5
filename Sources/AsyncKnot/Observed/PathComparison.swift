/// How to find out whether what was read from a state differs in another one.
@usableFromInline
@safe struct PathComparison {
  /// Of pointers, because a closure of two states would be given copies of all their properties.
  @usableFromInline
  typealias Differs = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

  let place: PathPlace
  private let closure: Differs

  @usableFromInline
  init(_ place: PathPlace, _ differs: @escaping Differs) {
    self.place = place
    unsafe closure = differs
  }

  /// Whether it differs; the states must be of the type that the comparison was made for.
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

  /// Compares the values at a key path where only their type knows whether it can; else each state
  /// differs.
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
    // A path of stored properties alone needs no key path machinery: its value lies inside the state,
    // at this offset, bound to its type.
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

  /// Nothing can be told from the bytes.
  @usableFromInline static let anywhere = PathPlace(start: 0, end: .max)

  @usableFromInline
  static func bytes(_ start: Int, _ count: Int) -> PathPlace {
    PathPlace(start: start, end: start + count)
  }
}
