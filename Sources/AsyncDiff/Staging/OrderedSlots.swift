/// A list from which elements are removed and into which others are inserted one by one, in any
/// order.
///
/// Every element that is in the list at some time has a slot in its order; the occupied slots before
/// a slot are counted. An element that leaves has its slot before one that arrives in its place.
struct OrderedSlots {
  private var counts: PrefixTree<Int>
  /// The slots of the leaving elements by their old offsets, and of the arriving ones by their new.
  private var leavingSlots: [Int: Int] = [:]
  private var arrivingSlots: [Int: Int] = [:]

  /// Creates the list before any change: arriving elements have slots that are not occupied.
  ///
  /// - Parameters:
  ///   - count: The number of elements before.
  ///   - staying: The elements that will neither be removed nor inserted.
  init(count: Int, staying: StayingRows) {
    let (leaving, arriving) = (staying.leaving, staying.arriving)
    var isOccupied = [Int](repeating: 1, count: count + arriving.count)
    // The slot of an arriving element is the number of staying, arriving and leaving elements before it.
    var left = 0
    for (arrived, new) in arriving.enumerated() {
      let staying = new - arrived
      while left < leaving.count, leaving[left] - left <= staying { left += 1 }
      require(
        new + left < isOccupied.count,
        "sequentialSteps: the operations do not lead from one snapshot of the batch to the other")
      arrivingSlots[new] = new + left
      isOccupied[new + left] = 0
    }
    var arrived = 0
    for (left, old) in leaving.enumerated() {
      while arrived < arriving.count, arriving[arrived] - arrived < old - left { arrived += 1 }
      leavingSlots[old] = old + arrived
    }
    counts = PrefixTree(isOccupied, neutral: 0, combine: +)
  }

  /// Removes an element.
  ///
  /// - Parameter old: The element's offset before any change.
  /// - Returns: The element's offset now.
  mutating func remove(old: Int) -> Int { change(leavingSlots[old], by: -1) }

  /// Inserts an element.
  ///
  /// - Parameter new: The element's offset after all changes.
  /// - Returns: The element's offset now.
  mutating func insert(new: Int) -> Int { change(arrivingSlots[new], by: 1) }

  private mutating func change(_ slot: Int?, by number: Int) -> Int {
    guard let slot else { fatalError("a batch has lost an element of a list") }
    counts.add(number, at: slot)
    return counts.total(before: slot)
  }
}
