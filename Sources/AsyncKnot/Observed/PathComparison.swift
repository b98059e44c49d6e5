/// How to find out whether what was read from a state differs in another one.
@usableFromInline
@safe struct PathComparison<State> {
  /// Pointers, because a closure of two states would be given copies of all their properties.
  @usableFromInline
  typealias Differs = (_ old: UnsafePointer<State>, _ new: UnsafePointer<State>) -> Bool

  let place: PathPlace
  let differs: Differs

  @usableFromInline
  init(_ place: PathPlace, _ differs: @escaping Differs) {
    self.place = place
    unsafe self.differs = differs
  }
}

extension PathComparison {
  /// Compares the values at a key path.
  @inlinable
  init<Value: Equatable>(at keyPath: KeyPath<State, Value>) {
    unsafe self.init(at: keyPath) { unsafe $0.pointee != $1.pointee }
  }

  /// Compares one element of the collections at a key path.
  @inlinable
  init<Elements: Collection>(
    at keyPath: KeyPath<State, Elements>, _ index: Elements.Index
  ) where Elements.Element: Equatable {
    unsafe self.init(at: keyPath) {
      unsafe $0.pointee.ifPresent(at: index) != $1.pointee.ifPresent(at: index)
    }
  }

  /// Compares the values at a key path where only their type knows whether it can; else each state
  /// differs.
  @usableFromInline
  init<Value>(dynamicallyAt keyPath: KeyPath<State, Value>) {
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
  init<Value>(
    at keyPath: KeyPath<State, Value>,
    _ differs: @escaping (UnsafePointer<Value>, UnsafePointer<Value>) -> Bool
  ) {
    // A path of stored properties alone needs no key path machinery: its value lies inside the state,
    // at this offset, bound to its type.
    if let offset = MemoryLayout<State>.offset(of: keyPath) {
      unsafe self.init(.bytes(offset, MemoryLayout<Value>.size)) { old, new in
        let old = unsafe UnsafeRawPointer(old).advanced(by: offset)
        let new = unsafe UnsafeRawPointer(new).advanced(by: offset)
        return unsafe differs(
          old.assumingMemoryBound(to: Value.self), new.assumingMemoryBound(to: Value.self))
      }
    } else {
      unsafe self.init(.bytes(0, MemoryLayout<State>.size)) { old, new in
        let (old, new) = unsafe (old.pointee[keyPath: keyPath], new.pointee[keyPath: keyPath])
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
  @usableFromInline static let anywhere = PathPlace(start: 0, end: -1)

  @usableFromInline
  static func bytes(_ start: Int, _ count: Int) -> PathPlace {
    PathPlace(start: start, end: start + count)
  }
}

/// Two states, byte by byte: a value whose bytes are the same has not changed.
///
/// That holds for every type: two values of the same bytes are copies of each other. The reverse does
/// not, so where bytes differ `==` has the last word.
@safe struct ByteComparison {
  private let old: UnsafeRawPointer
  private let new: UnsafeRawPointer
  /// From the first byte that differs to behind the last one.
  private let range: Range<Int>

  init(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, count: Int) {
    unsafe (self.old, self.new) = (old, new)
    var (start, end) = (0, count)
    while start + 8 <= end, unsafe Self.word(old, start) == Self.word(new, start) { start += 8 }
    while start + 8 <= end, unsafe Self.word(old, end - 8) == Self.word(new, end - 8) { end -= 8 }
    range = start..<end
  }

  /// Whether a value that lies there may have changed.
  func mayDiffer(in place: PathPlace) -> Bool {
    if place.end < 0 { return true }
    guard place.start < range.upperBound, range.lowerBound < place.end else { return false }
    var offset = place.start
    while offset + 8 <= place.end {
      if unsafe Self.word(old, offset) != Self.word(new, offset) { return true }
      offset += 8
    }
    while offset < place.end {
      if unsafe old.load(fromByteOffset: offset, as: UInt8.self)
        != new.load(fromByteOffset: offset, as: UInt8.self)
      {
        return true
      }
      offset += 1
    }
    return false
  }

  private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
