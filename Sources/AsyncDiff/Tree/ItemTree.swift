/// Items in a forest, of which those are rows whose ancestors are all expanded: an outline.
///
/// ```swift
/// var tree = ItemTree<Folder>()
/// try tree.append([inbox, archive])
/// try tree.append([work, family], to: archive.diffIdentifier)
/// try tree.expand(archive.diffIdentifier)
/// print(tree.rows.map(\.item))  // inbox, archive, work, family
/// ```
/// A section shows it by giving ``rows`` as its items. A collapsed item keeps which of its descendants are
/// expanded.
///
/// An item that an edit names must be there, and one that an edit adds must not; else the edit throws and
/// changes nothing.
public struct ItemTree<Item: Diffable & Equatable & Sendable>: Sendable {
  /// What identifies an item.
  public typealias ID = Item.DiffIdentifier

  /// An item with its place in the forest.
  ///
  /// Nodes are named by their offsets in one array.
  struct Node: Sendable {
    var item: Item
    var parent: Int?
    /// Its number among its siblings.
    var place = 0
    var isExpanded = false
    var children = SiblingList()
  }

  /// The nodes; those that were deleted are used again.
  var nodes: [Node] = []
  var free: [Int] = []
  var numbers: [ID: Int] = [:]
  var roots = SiblingList()

  /// Creates an empty forest.
  public init() {}

  /// How many items there are, shown or not.
  public var count: Int { numbers.count }

  /// How many rows there are.
  ///
  /// - Complexity: O(1).
  public var rowCount: Int { roots.rowCount }
}

extension ItemTree {
  /// Whether an item is there, shown or not.
  public func contains(_ id: ID) -> Bool { numbers[id] != nil }

  /// The item with an identifier, or `nil`.
  public func item(withID id: ID) -> Item? { node(id)?.item }

  /// The item above another one; `nil` for one at the top, or one that is not there.
  public func parent(of id: ID) -> Item? { node(id)?.parent.map { self[$0].item } }

  /// The items right below another one, or those at the top.
  public func children(of id: ID?) -> [Item] {
    guard let id else { return roots.members.map { self[$0].item } }
    return node(id)?.children.members.map { self[$0].item } ?? []
  }

  /// How many items are above one, 0 at the top; `nil` for one that is not there.
  ///
  /// - Complexity: O(depth).
  public func level(of id: ID) -> Int? {
    guard var number = numbers[id] else { return nil }
    var level = 0
    while let parent = self[number].parent {
      level += 1
      number = parent
    }
    return level
  }

  /// Whether the items right below one are rows as soon as it is one itself.
  public func isExpanded(_ id: ID) -> Bool { node(id)?.isExpanded ?? false }

  /// Whether an item is a row: all items above it are expanded.
  ///
  /// - Complexity: O(depth).
  public func isShown(_ id: ID) -> Bool {
    guard var number = numbers[id] else { return false }
    while let parent = self[number].parent {
      guard self[parent].isExpanded else { return false }
      number = parent
    }
    return true
  }

  private func node(_ id: ID) -> Node? { numbers[id].map { self[$0] } }

  subscript(_ number: Int) -> Node {
    get { nodes[number] }
    _modify { yield &nodes[number] }
  }

  /// The list that a node stands in.
  func siblings(under parent: Int?) -> SiblingList { parent.map { self[$0].children } ?? roots }

  mutating func changeSiblings<Result>(
    under parent: Int?, _ change: (inout SiblingList) -> Result
  ) -> Result {
    guard let parent else { return change(&roots) }
    return change(&self[parent].children)
  }
}
