/// A hash table of identifiers that pairs the rows of two lists.
///
/// The table uses open addressing in one block of memory, and is at most half full. A slot contains a 32-bit hash and a 32-bit
/// code of a row. The slot does not store the row's identifier, which is read from the row for each comparison.
@usableFromInline
struct JoinTable: ~Copyable, Sendable {
  @usableFromInline
  struct Slot: BitwiseCopyable, Sendable {
    @usableFromInline var hash: UInt32
    /// The index of an old row plus 1; 0 for an empty slot.
    @usableFromInline var code: Int32

    @inlinable
    init(hash: UInt32, code: Int32) {
      self.hash = hash
      self.code = code
    }
  }

  @usableFromInline var slots = Scratch<Slot>()
  @usableFromInline var mask = 0
  /// For each old row, the code of the next old row with the same identifier.
  @usableFromInline var successors = Scratch<Int32>()
  /// Whether each old row has a partner.
  @usableFromInline var isTaken = Scratch<Bool>()

  @usableFromInline
  init() {}

  /// Empties the table and reserves room for the old rows.
  @usableFromInline
  mutating func reset(oldCount: Int) {
    var count = 16
    while count < oldCount &* 2 { count &*= 2 }
    mask = count - 1
    slots.reset(count: count, to: Slot(hash: 0, code: 0))
    successors.reserve(oldCount)
    isTaken.reset(count: oldCount, to: false)
  }

  /// Pairs as many rows with equal identifiers as possible, in order.
  ///
  /// Old rows with the same identifier form a linked list: the table holds the first row, and `successors` the next ones. If all
  /// old identifiers differ, each new row is first compared with the neighbor of the old row that was paired last. So a block
  /// that moved needs one lookup, and a block that was reversed needs two.
  ///
  /// This method is always inlined, so that the closures are inlined into its loops; otherwise, calls to the closures took half
  /// of the time.
  ///
  /// - Returns: Whether all rows were looked up; `false` if too many identifiers collide in the multiply-fold hash.
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
      // An identifier that is hashed by its bytes is always equal to itself.
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

  /// The slot of the row that `isMatch` accepts, or an empty slot if it accepts none; `nil` if the multiply-fold hash needs too
  /// many probes.
  @inlinable
  func slot(of hash: UInt32, folded: Bool, where isMatch: (Int) -> Bool) -> Int? {
    var place = Int(truncatingIfNeeded: hash) & mask
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
