/// A list from which elements are taken and into which others are put one by one, in any order.
///
/// Every element that is there at some time has a slot in the order of the list; a tree of counts (Fenwick
/// 1994) says how many slots before one are taken. What leaves stands before what arrives in its place.
struct OrderedSlots {
  private var counts: [Int]
  private let leaving: [Int]
  private let arriving: [Int]
  /// The slots of what leaves and of what arrives.
  private var leavingSlots: [Int] = []
  private var arrivingSlots: [Int] = []

  /// Creates a list of so many elements, which are all there; those that arrive are not.
  ///
  /// - Parameters:
  ///   - count: The number of elements before.
  ///   - leaving: The offsets before of the elements that will be taken, ascending.
  ///   - arriving: The offsets after of the elements that will be put in, ascending.
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

  /// Takes an element out.
  ///
  /// - Parameter old: Its offset before anything changed.
  /// - Returns: Its offset now.
  mutating func remove(old: Int) -> Int {
    let slot = leavingSlots[partitionPoint(0..<leaving.count) { leaving[$0] >= old }]
    add(-1, at: slot)
    return count(before: slot)
  }

  /// Puts an element in.
  ///
  /// - Parameter new: Its offset when all is done.
  /// - Returns: Its offset now.
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
