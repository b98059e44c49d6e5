/// Hashes identifiers to 32 bits.
///
/// Integers are hashed by one salted multiplication of which both halves are kept ("multiply-fold"), four
/// times as fast as the standard hasher. The salt differs from process to process, so nobody can choose
/// integers that collide; should they collide all the same, the join starts again with the standard hasher.
@usableFromInline
struct IdentifierHash<ID: Hashable> {
  @usableFromInline let salt: UInt64
  @usableFromInline let multiplier: UInt64
  @usableFromInline let folds: Bool

  @inlinable
  init(folding: Bool = true) {
    folds = folding && Self.isInteger
    guard Self.isInteger || Self.hasFewBytes else {
      salt = 0
      multiplier = 1
      return
    }
    // The standard hasher is seeded for each process; an odd multiplier keeps every bit.
    salt = UInt64(truncatingIfNeeded: 1.hashValue)
    multiplier = UInt64(truncatingIfNeeded: 2.hashValue) | 1
  }

  @inlinable
  func callAsFunction(_ id: ID) -> UInt32 {
    guard folds else { return UInt32(truncatingIfNeeded: id.hashValue) }
    return fold(Self.bits(of: id), 0)
  }

  /// A quick hash to sift by.
  ///
  /// Identifiers of a few plain bytes are taken as bytes.
  @inlinable
  func sieve(_ id: ID) -> UInt32 {
    guard !folds, Self.hasFewBytes else { return self(id) }
    var words: (UInt64, UInt64) = (0, 0)
    unsafe withUnsafeMutableBytes(of: &words) { words in
      unsafe withUnsafeBytes(of: id) { unsafe words.copyMemory(from: $0) }
    }
    return fold(words.0, words.1)
  }

  @inlinable
  func fold(_ low: UInt64, _ high: UInt64) -> UInt32 {
    let product = (low ^ salt).multipliedFullWidth(by: multiplier)
    let mixed = (product.high ^ product.low) &+ high &* multiplier
    return UInt32(truncatingIfNeeded: mixed ^ (mixed >> 32))
  }

  @inlinable
  static var hasFewBytes: Bool { _isPOD(ID.self) && MemoryLayout<ID>.size <= 16 }

  @inlinable
  static var isInteger: Bool {
    ID.self == Int.self || ID.self == UInt.self || ID.self == Int64.self || ID.self == UInt64.self
      || ID.self == Int32.self || ID.self == UInt32.self || ID.self == ObjectIdentifier.self
  }

  @inlinable
  static func bits(of id: ID) -> UInt64 {
    MemoryLayout<ID>.size == 4
      ? UInt64(unsafe unsafeBitCast(id, to: UInt32.self))
      : UInt64(unsafe unsafeBitCast(id, to: UInt.self))
  }
}
