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
  @usableFromInline var count = 0

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
    count = 0
    entries.reset(count: slots, to: Entry(hash: 0, code: 0))
  }

  @inlinable
  func slot(of hash: UInt32) -> Int { Int(hash) & mask }

  @inlinable
  func slot(after slot: Int) -> Int { (slot &+ 1) & mask }

  /// Stores an entry in the empty slot at which a search for its hash ended.
  @inlinable
  mutating func insert(_ entry: Entry, at slot: Int) {
    entries[slot] = entry
    count &+= 1
    if count &* 2 > mask { grow() }
  }

  @usableFromInline
  mutating func grow() {
    let slots = mask + 1
    var smaller = Scratch<Entry>()
    swap(&smaller, &entries)
    reset(expecting: slots)
    for slot in 0..<slots where smaller[slot].code != 0 {
      var free = self.slot(of: smaller[slot].hash)
      while entries[free].code != 0 { free = self.slot(after: free) }
      entries[free] = smaller[slot]
      count &+= 1
    }
  }
}
