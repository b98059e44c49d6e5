/// A priority queue of items, ordered by deadline, from which every item can be removed.
///
/// A binary heap contains the deadline and the number of each item. The items are stored outside the heap, so that a removal
/// releases the item and leaves only a stale entry. The first entry is never stale, and there are at most 16 more stale entries
/// than items.
///
/// - Complexity: Finding the first deadline is O(1). Insertion and removal are amortized O(log items).
struct Deadlines<Time: Comparable & Sendable, Item: Sendable>: Sendable {
  private struct Entry: Sendable {
    let deadline: Time
    let number: Int

    static func < (left: Entry, right: Entry) -> Bool {
      if left.deadline < right.deadline { return true }
      return left.deadline == right.deadline && left.number < right.number
    }
  }

  private var items: [Int: Item] = [:]
  private var heap: [Entry] = []
  private var lastNumber = 0

  /// The earliest deadline, or `nil` if the queue is empty.
  var first: Time? { heap.first?.deadline }

  /// Adds an item and returns the number that identifies it for `remove(_:)`.
  mutating func insert(_ item: Item, at deadline: Time) -> Int {
    lastNumber += 1
    items[lastNumber] = item
    heap.append(Entry(deadline: deadline, number: lastNumber))
    riseLast()
    return lastNumber
  }

  /// Removes and returns an item, or returns `nil` if it was already removed.
  mutating func remove(_ number: Int) -> Item? {
    let item = items.removeValue(forKey: number)
    dropStale()
    return item
  }

  /// Removes the item with the earliest deadline, if it is due.
  ///
  /// Among equal deadlines, the item that was inserted first is removed first.
  mutating func popFirst(where isDue: (Time) -> Bool) -> Item? {
    guard let first = heap.first, isDue(first.deadline) else { return nil }
    return remove(first.number)
  }

  private mutating func dropStale() {
    while let first = heap.first, items[first.number] == nil {
      heap.swapAt(0, heap.endIndex - 1)
      heap.removeLast()
      sinkFirst()
    }
    if heap.count > 2 * items.count + 16 {
      heap.removeAll { items[$0.number] == nil }
      // A sorted array is a heap.
      heap.sort(by: <)
    }
  }

  private mutating func riseLast() {
    var child = heap.endIndex - 1
    while child > 0, case let parent = (child - 1) / 2, heap[child] < heap[parent] {
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func sinkFirst() {
    var parent = 0
    while case let left = 2 * parent + 1, left < heap.endIndex {
      let right = left + 1
      let child = right < heap.endIndex && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
