/// Pairs rows of two lists by a hash table of their identifiers.
///
/// An open-addressing table in one piece of memory, of which at most half of the slots are taken. It holds
/// no identifiers: a slot has a 32-bit hash, and a 32-bit code that names a row, whose identifier is compared.
@usableFromInline
struct JoinTable: ~Copyable, Sendable {
  @usableFromInline
  struct Slot: BitwiseCopyable, Sendable {
    @usableFromInline var hash: UInt32
    /// The number of an old row, plus one; 0 for an empty slot.
    @usableFromInline var code: Int32

    @inlinable
    init(hash: UInt32, code: Int32) {
      self.hash = hash
      self.code = code
    }
  }

  @usableFromInline var slots = Scratch<Slot>()
  @usableFromInline var mask = 0
  /// The next old row with the same identifier for each old row, as a code.
  @usableFromInline var successors = Scratch<Int32>()
  /// Whether each old row has a partner.
  @usableFromInline var isTaken = Scratch<Bool>()

  @usableFromInline
  init() {}

  /// Empties the table and makes room for so many old rows.
  @usableFromInline
  mutating func reset(oldCount: Int) {
    var count = 16
    while count < oldCount &* 2 { count &*= 2 }
    mask = count - 1
    slots.reset(count: count, to: Slot(hash: 0, code: 0))
    successors.reserve(oldCount)
    isTaken.reset(count: oldCount, to: false)
  }

  /// Pairs as many rows with equal identifiers as there can be, the first with the first.
  ///
  /// The old rows of one identifier form a list in `successors`, and the table names its head. If
  /// all identifiers differ, the row after a pair is first compared with the old row beside that
  /// pair, so that a block that moved, or was reversed, is looked up once.
  ///
  /// The method is inlined, so that the closures become part of its loops; calling them took half
  /// of the time.
  ///
  /// - Returns: Whether all rows were looked up; false if the quick hash fails for these identifiers.
  /// - Complexity: Expected O(*n*).
  @inlinable @inline(__always)
  mutating func join<ID: Hashable>(
    oldCount: Int, newCount: Int, hash: IdentifierHash<ID>,
    oldID: (Int) -> ID, newID: (Int) -> ID, pair: (_ old: Int, _ new: Int) -> Void
  ) -> Bool {
    reset(oldCount: oldCount)
    var hasDuplicates = false
    var row = oldCount
    while row > 0 {
      row &-= 1
      let id = oldID(row)
      // What is its bytes equals itself.
      if !hash.folds { requireIdentity(id) }
      let hashed = hash(id)
      guard let slot = slot(of: hashed, folded: hash.folds, where: { oldID($0) == id })
      else { return false }
      successors[row] = slots[slot].code
      if successors[row] != 0 { hasDuplicates = true }
      slots[slot] = Slot(hash: hashed, code: Int32(truncatingIfNeeded: row &+ 1))
    }
    var last = -1
    var next = -1
    for row in 0..<newCount {
      let id = newID(row)
      var partner = next
      if next < 0 || next >= oldCount || oldID(next) != id || isTaken[next] {
        guard let slot = slot(of: hash(id), folded: hash.folds, where: { oldID($0) == id })
        else { return false }
        partner = Int(slots[slot].code) &- 1
        guard partner >= 0, !isTaken[partner] else { continue }
        if successors[partner] != 0 { slots[slot].code = successors[partner] }
      }
      isTaken[partner] = true
      pair(partner, row)
      if !hasDuplicates { next = partner &+ (partner &+ 1 == last ? -1 : 1) }
      last = partner
    }
    return true
  }

  /// The slot of the row that `isMatch` accepts, or the empty slot for it; nil if a quick hash leads
  /// through more slots than a good one would.
  @inlinable
  func slot(of hash: UInt32, folded: Bool, where isMatch: (Int) -> Bool) -> Int? {
    var place = Int(hash) & mask
    var steps = 0
    while true {
      let slot = slots[place]
      if slot.code == 0 || slot.hash == hash && isMatch(Int(slot.code &- 1)) { return place }
      place = (place &+ 1) & mask
      steps &+= 1
      if folded, steps > 128 { return nil }
    }
  }
}
