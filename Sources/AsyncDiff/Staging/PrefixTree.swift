/// Values in a row, which change one by one, and what those before a place make together.
///
/// A tree of partial results (Fenwick 1994).
struct PrefixTree<Value> {
  private var nodes: [Value]
  private let combine: (Value, Value) -> Value

  /// Creates a tree.
  ///
  /// - Complexity: O(*n*) for *n* values.
  init(_ values: [Value], neutral: Value, combine: @escaping (Value, Value) -> Value) {
    nodes = [neutral] + values
    self.combine = combine
    for index in nodes.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < nodes.count { nodes[parent] = combine(nodes[parent], nodes[index]) }
    }
  }

  /// What the values before a place make together.
  ///
  /// - Complexity: O(log *n*).
  func total(before place: Int) -> Value {
    var (total, index) = (nodes[0], place)
    while index > 0 {
      total = combine(total, nodes[index])
      index &= index - 1
    }
    return total
  }

  /// Combines the value at a place with another one.
  ///
  /// - Complexity: O(log *n*).
  mutating func add(_ value: Value, at place: Int) {
    var index = place + 1
    while index < nodes.count {
      nodes[index] = combine(nodes[index], value)
      index += index & -index
    }
  }
}
