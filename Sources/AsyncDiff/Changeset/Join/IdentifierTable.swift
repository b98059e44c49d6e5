/// An open-addressing table of rows by the hash of their identifier, in one piece of memory.
///
/// The table holds no identifiers: an entry is a 32-bit hash and a 32-bit code that names a row;
/// the caller compares that row's identifier. A collision takes the next slot; at most half of the
/// slots are taken.
@usableFromInline
struct IdentifierTable: ~Copyable {
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline var hash: UInt32
    /// Names a row; 0 is an empty slot.
    @usableFromInline var code: Int32

    @inlinable
    init(hash: UInt32, code: Int32) {
      self.hash = hash
      self.code = code
    }
  }

  @usableFromInline var entries = Scratch<Entry>()
  @usableFromInline var mask = 0

  /// A number of steps that a good hash is very unlikely to reach at half load.
  @inlinable
  static var longestChain: Int { 128 }

  @inlinable
  init() {}

  /// Empties the table and makes room for `expected` entries.
  @inlinable
  mutating func reset(expecting expected: Int) {
    var slots = 16
    while slots < expected &* 2 { slots &*= 2 }
    mask = slots - 1
    entries.reset(count: slots, to: Entry(hash: 0, code: 0))
  }

  @inlinable
  func slot(of hash: UInt32) -> Int { Int(hash) & mask }

  @inlinable
  func slot(after slot: Int) -> Int { (slot &+ 1) & mask }
}
