/// The distributions of a quantity for the most frequent keys, in memory that is bounded by the number of these keys.
struct KeyedDistributions: Sendable {
  private var known: [String: Distribution] = [:]

  subscript(key: String) -> Distribution? { known[key] }

  /// Adds the values of a batch.
  ///
  /// - Parameters:
  ///   - values: The values, each with the number of its key.
  ///   - keys: The keys of the batch, each at the index that is its number.
  ///   - frequent: The keys to keep.
  mutating func add(
    _ values: [(key: UInt32, value: Int)], of keys: [(key: String, count: Int)],
    among frequent: TopKeys
  ) {
    guard !values.isEmpty else { return }
    // Group the values by key, so that each key is looked up once.
    var ends = [Int](repeating: 0, count: keys.count)
    for (key, _) in values { ends[Int(key)] += 1 }
    for key in ends.indices.dropFirst() { ends[key] += ends[key - 1] }
    var sorted = [Int](repeating: 0, count: values.count)
    var places = [0] + ends.dropLast()
    for (key, value) in values {
      sorted[places[Int(key)]] = value
      places[Int(key)] += 1
    }
    var start = 0
    for (key, end) in zip(keys, ends) where end > start {
      known[key.key, default: Distribution()].add(sorted[start..<end])
      start = end
    }
    // Keep up to twice as many keys as the limit, so that keys are rarely removed.
    if known.count > 2 * frequent.capacity {
      known = known.filter { frequent.contains($0.key) }
    }
  }
}
