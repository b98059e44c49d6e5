/// A dictionary whose copies share all entries that were not changed.
///
/// A hash trie (Bagwell, "Ideal hash trees", 2001): each node has room for 32 entries, and stores
/// only those that are there. A change copies the nodes on its path that another copy of the map
/// shares, and changes the others in place.
@usableFromInline
struct PersistentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  struct Node: Sendable {
    var bitmap: UInt32
    var entries: [Entry]
  }

  enum Entry: Sendable {
    case value(hash: Int, Key, Value)
    case node(Node)
    /// Keys with one hash.
    case collision(hash: Int, [Key], [Value])
  }

  private var root = Node(bitmap: 0, entries: [])
  @usableFromInline private(set) var count = 0

  @usableFromInline
  var isEmpty: Bool { count == 0 }

  /// The value of a key.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  @usableFromInline
  subscript(_ key: Key) -> Value? {
    let hash = key.hashValue
    var node = root
    var shift = 0
    while true {
      let bit = Self.bit(of: hash, shift)
      guard node.bitmap & bit != 0 else { return nil }
      switch node.entries[node.place(of: bit)] {
      case .value(let other, let otherKey, let value):
        return other == hash && otherKey == key ? value : nil
      case .collision(let other, let keys, let values):
        guard other == hash else { return nil }
        return keys.firstIndex(of: key).map { values[$0] }
      case .node(let next):
        node = next
        shift += 5
      }
    }
  }

  /// Sets the value of a key.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  @usableFromInline
  mutating func updateValue(_ value: Value, forKey key: Key) {
    if root.insert(.value(hash: key.hashValue, key, value), shift: 0) { count += 1 }
  }

  /// Removes a key with its value, if it is there.
  ///
  /// - Complexity: Expected O(log *n*) with base 32.
  mutating func removeValue(forKey key: Key) {
    if root.remove(key, hash: key.hashValue, shift: 0) { count -= 1 }
  }

  fileprivate static func bit(of hash: Int, _ shift: Int) -> UInt32 {
    1 << UInt32(truncatingIfNeeded: (hash >> shift) & 31)
  }
}

extension PersistentMap.Node {
  typealias Entry = PersistentMap.Entry

  /// Creates a node of two entries with different hashes.
  private init(_ entry: Entry, hash: Int, with other: Entry, shift: Int) {
    bitmap = PersistentMap.bit(of: hash, shift)
    entries = [entry]
    _ = insert(other, shift: shift)
  }

  func place(of bit: UInt32) -> Int { (bitmap & (bit - 1)).nonzeroBitCount }

  /// Inserts an entry below this node.
  ///
  /// - Returns: Whether the key is new.
  mutating func insert(_ entry: Entry, shift: Int) -> Bool {
    guard case .value(let hash, let key, let value) = entry else { return false }
    let bit = PersistentMap.bit(of: hash, shift)
    let place = place(of: bit)
    guard bitmap & bit != 0 else {
      bitmap |= bit
      entries.insert(entry, at: place)
      return true
    }
    switch entries[place] {
    case .value(hash, key, _):
      entries[place] = entry
      return false
    case .value(hash, let otherKey, let otherValue):
      entries[place] = .collision(hash: hash, [otherKey, key], [otherValue, value])
      return true
    case .value(let other, _, _):
      entries[place] = .node(Self(entries[place], hash: other, with: entry, shift: shift + 5))
      return true
    case .collision(hash, var keys, var values):
      let known = keys.firstIndex(of: key)
      if let known {
        values[known] = value
      } else {
        keys.append(key)
        values.append(value)
      }
      entries[place] = .collision(hash: hash, keys, values)
      return known == nil
    case .collision(let other, _, _):
      entries[place] = .node(Self(entries[place], hash: other, with: entry, shift: shift + 5))
      return true
    case .node(var node):
      // The node is taken out of the array, so that it is changed in place if no copy shares it.
      entries[place] = .collision(hash: 0, [], [])
      let isNew = node.insert(entry, shift: shift + 5)
      entries[place] = .node(node)
      return isNew
    }
  }

  /// Removes a key below this node.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ key: Key, hash: Int, shift: Int) -> Bool {
    let bit = PersistentMap.bit(of: hash, shift)
    let place = place(of: bit)
    guard bitmap & bit != 0 else { return false }
    switch entries[place] {
    case .value(hash, key, _):
      entries.remove(at: place)
      bitmap &= ~bit
      return true
    case .collision(hash, var keys, var values):
      guard let known = keys.firstIndex(of: key) else { return false }
      keys.remove(at: known)
      values.remove(at: known)
      entries[place] =
        keys.count == 1
        ? .value(hash: hash, keys[0], values[0]) : .collision(hash: hash, keys, values)
      return true
    case .value, .collision: return false
    case .node(var node):
      entries[place] = .collision(hash: 0, [], [])
      let isGone = node.remove(key, hash: hash, shift: shift + 5)
      entries[place] = .node(node)
      if node.bitmap == 0 {
        entries.remove(at: place)
        bitmap &= ~bit
      }
      return isGone
    }
  }
}
