/// A list from which elements are removed and into which others are inserted one by one, in any
/// order.
///
/// Every element that is in the list at some time has a slot in its order. A tree of counts
/// (Fenwick 1994) counts the occupied slots before a slot. An element that leaves has its slot
/// before one that arrives in its place.
struct OrderedSlots {
  private var counts: [Int]
  private let leaving: [Int]
  private let arriving: [Int]
  /// The slots of the leaving and of the arriving elements.
  private var leavingSlots: [Int] = []
  private var arrivingSlots: [Int] = []

  /// Creates the list before any change: arriving elements have slots that are not occupied.
  ///
  /// - Parameters:
  ///   - count: The number of elements before.
  ///   - leaving: The old offsets of the elements that will be removed, ascending.
  ///   - arriving: The new offsets of the elements that will be inserted, ascending.
  init(count: Int, leaving: [Int], arriving: [Int]) {
    self.leaving = leaving
    self.arriving = arriving
    let slots = count + arriving.count
    counts = Array(repeating: 0, count: slots + 1)
    var (old, new, left, arrived) = (0, 0, 0, 0)
    for slot in 0..<slots {
      if left < leaving.count, leaving[left] == old {
        leavingSlots.append(slot)
        counts[slot + 1] = 1
        left += 1
        old += 1
      } else if arrived < arriving.count, arriving[arrived] == new || old == count {
        arrivingSlots.append(slot)
        arrived += 1
        new += 1
      } else {
        counts[slot + 1] = 1
        old += 1
        new += 1
      }
    }
    for index in counts.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < counts.count { counts[parent] += counts[index] }
    }
  }

  /// Removes an element.
  ///
  /// - Parameter old: The element's offset before any change.
  /// - Returns: The element's offset now.
  mutating func remove(old: Int) -> Int {
    let slot = leavingSlots[partitionPoint(0..<leaving.count) { leaving[$0] >= old }]
    add(-1, at: slot)
    return count(before: slot)
  }

  /// Inserts an element.
  ///
  /// - Parameter new: The element's offset after all changes.
  /// - Returns: The element's offset now.
  mutating func insert(new: Int) -> Int {
    let slot = arrivingSlots[partitionPoint(0..<arriving.count) { arriving[$0] >= new }]
    defer { add(1, at: slot) }
    return count(before: slot)
  }

  private func count(before slot: Int) -> Int {
    var (count, index) = (0, slot)
    while index > 0 {
      count += counts[index]
      index -= index & -index
    }
    return count
  }

  private mutating func add(_ number: Int, at slot: Int) {
    var index = slot + 1
    while index < counts.count {
      counts[index] += number
      index += index & -index
    }
  }
}
