/// The most frequent keys of a stream, in memory that is bounded by `capacity`.
///
/// If there are at most `capacity` distinct keys, every count is exact. Otherwise, a new key replaces the rarest key and inherits
/// its count (the Space-Saving algorithm of Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k
/// Elements in Data Streams", 2005). A count is then never too low and at most `excess` too high, and every key that occurs more
/// than `total / capacity` times is kept.
struct TopKeys: Sendable {
  struct Entry: Hashable, Sendable {
    var key: String
    var count: Int
    /// The part of the count that may belong to replaced keys.
    var excess = 0
  }

  let capacity: Int
  private(set) var total = 0
  /// Whether all distinct keys are kept, each with its exact count.
  private(set) var isExact = true
  /// A heap with the rarest key first.
  private var heap: [Entry] = []
  private var positions: [String: Int] = [:]

  init(capacity: Int = 4096) {
    precondition(
      capacity > 0, "TopKeys(capacity:): needs room for at least 1 key; got \(capacity)")
    self.capacity = capacity
  }

  var count: Int { heap.count }

  func contains(_ key: String) -> Bool { positions[key] != nil }

  /// Counts a key in O(log capacity).
  mutating func add(_ key: String, _ count: Int = 1) {
    total += count
    if let position = positions[key] {
      heap[position].count += count
      sink(from: position)
    } else if heap.count < capacity {
      heap.append(Entry(key: key, count: count))
      positions[key] = heap.count - 1
      rise(from: heap.count - 1)
    } else {
      isExact = false
      let rarest = heap[0]
      positions[rarest.key] = nil
      positions[key] = 0
      heap[0] = Entry(key: key, count: rarest.count + count, excess: rarest.count)
      sink(from: 0)
    }
  }

  /// Returns the `limit` most frequent keys, sorted by descending count and then by name.
  func top(_ limit: Int) -> [Entry] {
    Array(heap.sorted { ($1.count, $0.key) < ($0.count, $1.key) }.prefix(limit))
  }

  private mutating func rise(from start: Int) {
    var child = start
    while child > 0, heap[child].count < heap[(child - 1) / 2].count {
      exchange(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].count < heap[least].count { least = child }
      }
      if least == parent { return }
      exchange(parent, least)
      parent = least
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    positions[heap[first].key] = first
    positions[heap[second].key] = second
  }
}
