import Synchronization

/// The rows of a section, in the order shown: a collection stored as an array or a tree.
///
/// ```swift
/// for article in snapshot.sections[0].rows.prefix(20) { print(article.title) }
/// ```
/// The rows of a ``LiveList`` without a window are stored as a tree. A tree finds a row in O(log *n*), and two versions of a tree store their
/// common rows once. ``ShownSection/items`` creates an array of all rows on first use.
public struct ShownRows<Item: Sendable>: Sendable {
  @usableFromInline
  enum Storage: Sendable {
    case array([Item])
    case tree(Version)
  }

  /// One version of a tree, with a cached array of its rows.
  @usableFromInline
  final class Version: Sendable {
    let tree: RowTree<Item>
    private let array = Mutex<[Item]?>(nil)

    init(_ tree: RowTree<Item>) { self.tree = tree }

    var known: [Item]? { array.withLock { $0 } }

    /// All rows, computed on first use outside the lock; several threads may compute them at the same time.
    @usableFromInline
    var items: [Item] {
      if let known { return known }
      let made = tree.array
      array.withLock { $0 = made }
      return made
    }

    @usableFromInline var count: Int { tree.count }

    @usableFromInline
    subscript(offset: Int) -> Item { tree[offset] }

    @usableFromInline
    func hasRoot(of other: Version) -> Bool { tree.root === other.tree.root }

    /// The rows of the leaf that contains an offset, and the offset of its first row.
    @usableFromInline
    func leaf(with offset: Int) -> (rows: [Item], start: Int) { tree.leaf(with: offset) }
  }

  @usableFromInline var storage: Storage

  /// Creates rows that are stored as an array, in the given order.
  public init(_ items: [Item] = []) { storage = .array(items) }

  init(_ tree: RowTree<Item>) { storage = .tree(Version(tree)) }

  @inlinable
  var items: [Item] {
    switch storage {
    case .array(let items): items
    case .tree(let version): version.items
    }
  }

  /// The array of rows if the rows are stored as an array, otherwise an empty array.
  @inlinable
  var array: [Item] {
    if case .array(let items) = storage { items } else { [] }
  }

  /// The tree, if the rows are stored as one.
  var tree: RowTree<Item>? {
    if case .tree(let version) = storage { version.tree } else { nil }
  }
}

extension ShownRows: RandomAccessCollection {
  /// The first offset, 0.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { count }

  /// The number of rows, in O(1).
  @inlinable
  public var count: Int {
    switch storage {
    case .array(let items): items.count
    case .tree(let version): version.count
    }
  }

  /// The row at an offset, found in O(1) in an array and in O(log *n*) in a tree; traps if the offset is out of bounds.
  @inlinable
  public subscript(offset: Int) -> Item {
    require(
      offset >= 0 && offset < count,
      "ShownRows: row \(offset) is out of bounds; the number of rows is \(count)")
    switch storage {
    case .array(let items): return items[offset]
    case .tree(let version): return version[offset]
    }
  }

  /// Returns an iterator, which takes amortized O(1) for each row.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over rows.
  public struct Iterator: IteratorProtocol {
    /// The array, or one leaf of the tree.
    @usableFromInline var rows: [Item] = []
    @usableFromInline var place = 0
    /// The offset after the last row of `rows`.
    @usableFromInline var end = 0
    @usableFromInline let version: Version?

    @inlinable
    init(_ all: ShownRows) {
      switch all.storage {
      case .array(let items): (rows, version) = (items, nil)
      case .tree(let version): self.version = version
      }
    }

    /// Advances to the next row; `nil` after the last one.
    @inlinable
    public mutating func next() -> Item? {
      if place == rows.count {
        guard let version, end < version.count else { return nil }
        rows = version.leaf(with: end).rows
        (place, end) = (0, end + rows.count)
      }
      defer { place += 1 }
      return rows[place]
    }
  }
}

extension ShownRows.Iterator: Sendable {}

extension ShownRows {
  /// Whether both have the same storage, and therefore the same rows.
  @inlinable
  func hasStorage(of other: Self) -> Bool {
    switch (storage, other.storage) {
    case (.array(let items), .array(let others)): haveSameStorage(items, others)
    case (.tree(let version), .tree(let other)): version === other || version.hasRoot(of: other)
    default: false
    }
  }
}

extension ShownRows {
  /// Calls `body` with each part in which these rows differ from older ones, in order.
  ///
  /// - Parameters:
  ///   - old: The older rows.
  ///   - least: Two parts are joined if fewer than `least` equal rows lie between them.
  ///   - body: Called with the old and the new offset of a part's first row, and with the part's old and new rows.
  @inlinable
  func forEachBlock(
    since old: ShownRows, least: Int = 0, _ body: (Changeset.Move, [Item], [Item]) -> Void
  ) {
    let start = Changeset.Move(from: 0, to: 0)
    if case .array(let new) = storage, case .array(let old) = old.storage {
      if !haveSameStorage(old, new) { body(start, old, new) }
    } else if let blocks = sharedBlocks(since: old, least: least) {
      for block in blocks { body(block.start, block.old, block.new) }
    } else {
      body(start, old.items, items)
    }
  }

  /// The parts in which these rows differ from older ones, if both are stored as trees.
  ///
  /// The result is `nil` if either is not stored as a tree, or if the parts contain more than a quarter of all rows, because
  /// comparing arrays is then faster.
  @usableFromInline
  func sharedBlocks(
    since old: ShownRows, least: Int
  ) -> [(start: Changeset.Move, old: [Item], new: [Item])]? {
    guard let tree, let old = old.tree, let all = tree.blocks(since: old, upTo: 4) else {
      return nil
    }
    if least == 0 { return all }
    return all.reduce(into: []) { blocks, next in
      guard let last = blocks.last, case let end = last.start.from + last.old.count,
        next.start.from - end < least
      else { return blocks.append(next) }
      let between = (end..<next.start.from).map { old[$0] }
      blocks[blocks.count - 1].old += between + next.old
      blocks[blocks.count - 1].new += between + next.new
    }
  }
}

/// Whether two arrays share storage, and therefore have the same elements.
@inlinable
func haveSameStorage<Element>(_ lhs: [Element], _ rhs: [Element]) -> Bool {
  unsafe lhs.withUnsafeBufferPointer { lhs in
    unsafe rhs.withUnsafeBufferPointer { rhs in
      unsafe lhs.baseAddress == rhs.baseAddress && lhs.count == rhs.count
    }
  }
}

extension ShownRows where Item: Diffable {
  /// Whether both have the same identifiers in the same order; `==` of the rows may ignore their identifiers.
  func hasIdentifiers(of other: Self) -> Bool {
    hasStorage(of: other)
      || matches(other) { $0.diffIdentifier == $1.diffIdentifier }
  }
}

extension ShownRows {
  /// Whether both have matching rows in the same order; skips the pages that two trees share.
  private func matches(_ other: Self, by areMatching: (Item, Item) -> Bool) -> Bool {
    guard count == other.count else { return false }
    guard let blocks = other.sharedBlocks(since: self, least: 0) else {
      return elementsEqual(other, by: areMatching)
    }
    for (start, old, new) in blocks {
      // After a shift, matching rows can be in different leaves.
      if start.from != start.to || old.count != new.count {
        return elementsEqual(other, by: areMatching)
      }
      if !old.elementsEqual(new, by: areMatching) { return false }
    }
    return true
  }
}

extension ShownRows: Equatable where Item: Equatable {
  /// Whether both have equal rows in the same order.
  ///
  /// Pages that two trees share are skipped, unless rows have shifted, or more than a quarter of the rows are in pages that the
  /// trees do not share.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    if case (.array(let left), .array(let right)) = (lhs.storage, rhs.storage) {
      return left == right
    }
    return lhs.matches(rhs, by: ==)
  }
}

extension ShownRows: Hashable where Item: Hashable {
  /// Hashes the rows.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for row in self { hasher.combine(row) }
  }
}

extension ShownRows: CustomStringConvertible, CustomReflectable {
  /// The rows, in order.
  public var description: String { "\(items)" }

  /// Shows the rows like an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension ShownRows: Encodable where Item: Encodable {
  /// Encodes an array of the rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in self { try container.encode(row) }
  }
}

extension ShownRows: Decodable where Item: Decodable {
  /// Decodes an array of rows.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Item].self))
  }
}
