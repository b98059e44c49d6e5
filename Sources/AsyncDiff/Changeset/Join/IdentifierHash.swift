/// Hashes identifiers to 32 bits.
///
/// Integers of 32 and 64 bits, object identifiers and UUIDs are equal if and only if their bytes are equal. They are hashed with
/// a salted multiplication that combines both halves of the product ("multiply-fold"); this is several times as fast as the
/// standard hasher. The salt differs between processes, so an attacker cannot choose colliding identifiers. If many identifiers
/// collide anyway, the join restarts with the standard hasher.
@usableFromInline
struct IdentifierHash<ID: Hashable> {
  @usableFromInline let folds: Bool
  @usableFromInline var salt: (UInt64, UInt64)

  @inlinable
  init(folding: Bool = true) {
    folds = folding && Self.isItsBytes
    // The salt differs between processes, because the standard hasher has a random seed.
    salt =
      folds
      ? (UInt64(bitPattern: Int64(1.hashValue)), UInt64(bitPattern: Int64(2.hashValue))) : (0, 0)
  }

  @inlinable
  func callAsFunction(_ id: ID) -> UInt32 {
    guard folds else { return UInt32(truncatingIfNeeded: id.hashValue) }
    var words: (UInt64, UInt64) = (0, 0)
    // The casts are safe, because only types that `isItsBytes` accepts reach this switch. Each has one of these sizes, without
    // padding or references, so its bytes are an integer of that size. A bit cast copies the bytes, so alignment does not matter,
    // and it traps if the sizes differ.
    switch MemoryLayout<ID>.size {
    // A UUID consists of 16 bytes.
    case 16: words = unsafe unsafeBitCast(id, to: (UInt64, UInt64).self)
    // A 64-bit integer, or the address in an `ObjectIdentifier`.
    case 8: words.0 = unsafe unsafeBitCast(id, to: UInt64.self)
    // A 32-bit integer or address; `isItsBytes` admits no other size.
    default: words.0 = UInt64(unsafe unsafeBitCast(id, to: UInt32.self))
    }
    let product = (words.0 ^ salt.0).multipliedFullWidth(by: words.1 ^ salt.1)
    let folded = product.high ^ product.low
    return UInt32(truncatingIfNeeded: folded ^ (folded >> 32))
  }

  /// Whether identifiers of this type are equal if and only if their bytes are equal.
  @inlinable
  static var isItsBytes: Bool {
    ID.self == Int.self || ID.self == UInt.self || ID.self == Int64.self || ID.self == UInt64.self
      || ID.self == Int32.self || ID.self == UInt32.self || ID.self == ObjectIdentifier.self
      || (MemoryLayout<ID>.size == 16 && uuidType.map { $0 == ID.self } ?? false)
  }
}

/// Foundation's UUID type, found by name because this package does not import Foundation; `nil` if the program does not link
/// Foundation.
@usableFromInline
let uuidType: Any.Type? =
  _typeByName("20FoundationEssentials4UUIDV") ?? _typeByName("10Foundation4UUIDV")
