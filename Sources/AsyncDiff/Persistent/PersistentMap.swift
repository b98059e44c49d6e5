/// A dictionary whose copies share all entries that were not changed.
///
/// A hash trie (Bagwell, "Ideal hash trees", 2001): each node has room for 32 entries, and stores
/// only those that are there. Keys with one hash are a list below its last bits. A change copies the
/// nodes on its path that another copy of the map shares, and changes the others in place.
struct PersistentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  fileprivate struct Node: Sendable {
    /// The places of the entries, by five bits of the hash.
    var bitmap: UInt32 = 0
    var entries: [Entry] = []
  }

  fileprivate enum Entry: Sendable {
    case value(hash: Int, Key, Value)
    case node(Node)
  }

  private var root = Node()
  private(set) var count = 0

  /// The value of a key.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  subscript(_ key: Key) -> Value? {
    let hash = key.hashValue
    var node = root
    var shift = 0
    while let place = node.place(of: key, hash, shift).taken {
      switch node.entries[place] {
      case .value(hash, key, let value): return value
      case .value: return nil
      case .node(let next): node = next
      }
      shift += 5
    }
    return nil
  }

  /// Sets the value of a key.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  mutating func updateValue(_ value: Value, forKey key: Key) {
    count += root.set(value, for: key, key.hashValue, shift: 0)
  }

  /// Removes a key with its value, if it is there.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  mutating func removeValue(forKey key: Key) {
    count += root.set(nil, for: key, key.hashValue, shift: 0)
  }
}

extension PersistentMap.Node {
  private func bit(of hash: Int, _ shift: Int) -> UInt32 {
    1 << UInt32(truncatingIfNeeded: (hash >> shift) & 31)
  }

  /// The place of the entry for a key, or the one that an entry for it would get.
  func place(of key: Key, _ hash: Int, _ shift: Int) -> (taken: Int?, free: Int) {
    guard shift < Int.bitWidth else {
      let place = entries.firstIndex { entry in
        if case .value(_, key, _) = entry { true } else { false }
      }
      return (place, entries.count)
    }
    let bit = bit(of: hash, shift)
    let place = (bitmap & (bit - 1)).nonzeroBitCount
    return (bitmap & bit == 0 ? nil : place, place)
  }

  /// Sets or removes the value of a key below this node.
  ///
  /// - Returns: By how much the number of keys has grown.
  mutating func set(_ value: Value?, for key: Key, _ hash: Int, shift: Int) -> Int {
    let (taken, free) = place(of: key, hash, shift)
    guard let place = taken else {
      guard let value else { return 0 }
      bitmap |= bit(of: hash, shift)
      entries.insert(.value(hash: hash, key, value), at: free)
      return 1
    }
    switch entries[place] {
    case .value(hash, key, _):
      guard let value else {
        remove(at: place, bit(of: hash, shift))
        return -1
      }
      entries[place] = .value(hash: hash, key, value)
      return 0
    case .value(let otherHash, let otherKey, let otherValue):
      guard value != nil else { return 0 }
      var node = Self()
      _ = node.set(otherValue, for: otherKey, otherHash, shift: shift + 5)
      let growth = node.set(value, for: key, hash, shift: shift + 5)
      entries[place] = .node(node)
      return growth
    case .node(var node):
      // The node is taken out of the array, so that it is changed in place if no copy shares it.
      entries[place] = .node(Self())
      let growth = node.set(value, for: key, hash, shift: shift + 5)
      entries[place] = .node(node)
      if node.entries.isEmpty { remove(at: place, bit(of: hash, shift)) }
      return growth
    }
  }

  private mutating func remove(at place: Int, _ bit: UInt32) {
    entries.remove(at: place)
    bitmap &= ~bit
  }
}
