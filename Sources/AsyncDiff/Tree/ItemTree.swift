/// A forest of items, of which those are rows whose ancestors are all expanded: an outline.
///
/// <!-- sample:
/// struct Folder: Diffable, Equatable { var diffIdentifier = 0 }
/// let (inbox, archive, work, family) = (Folder(), Folder(), Folder(), Folder())
/// -->
/// ```swift
/// var tree = ItemTree<Folder>()
/// try tree.append([inbox, archive])
/// try tree.append([work, family], to: archive.diffIdentifier)
/// try tree.expand(archive.diffIdentifier)
/// print(tree.rows.map(\.item))  // inbox, archive, work, family
/// ```
/// A section shows a tree by returning ``rows`` as its items. The descendants of a collapsed item
/// stay expanded or collapsed.
///
/// An edit throws and changes nothing if an item that it names is not there, or one that it adds is
/// there already.
public struct ItemTree<Item: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the items' identifiers.
  public typealias ID = Item.DiffIdentifier

  /// An item with its place in the forest.
  ///
  /// A node is identified by its offset in `nodes`, its number.
  struct Node: Sendable {
    var item: Item
    var parent: Int?
    /// The node's offset among its siblings.
    var place = 0
    var isExpanded = false
    var children = SiblingList()
  }

  /// The nodes; the places of deleted ones are in `free` and are used again.
  var nodes: [Node] = []
  var free: [Int] = []
  var numbers: [ID: Int] = [:]
  var roots = SiblingList()

  /// Creates an empty forest.
  public init() {}

  /// The number of items, shown or not.
  public var count: Int { numbers.count }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  public var rowCount: Int { roots.rowCount }
}

extension ItemTree {
  /// Whether the forest has an item, shown or not.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: Whether the item is there.
  public func contains(_ id: ID) -> Bool { numbers[id] != nil }

  /// The item with an identifier.
  ///
  /// - Parameter id: The identifier.
  /// - Returns: The item, or `nil` if no item has the identifier.
  public func item(withID id: ID) -> Item? { node(id)?.item }

  /// The item directly above another one.
  ///
  /// - Parameter id: The identifier of the lower item.
  /// - Returns: The item above it; `nil` for an item at the top, or an unknown one.
  public func parent(of id: ID) -> Item? { node(id)?.parent.map { self[$0].item } }

  /// The items directly below another one, or those at the top.
  ///
  /// - Parameter id: The identifier of the upper item; `nil` for the top.
  /// - Returns: The items, in order; none for an unknown item.
  public func children(of id: ID?) -> [Item] {
    guard let id else { return roots.members.map { self[$0].item } }
    return node(id)?.children.members.map { self[$0].item } ?? []
  }

  /// The number of items above an item, 0 at the top.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The level; `nil` for an unknown item.
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

  /// Whether an item is expanded: the items directly below it are rows if it is a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: Whether it is expanded; `false` for an unknown item.
  public func isExpanded(_ id: ID) -> Bool { node(id)?.isExpanded ?? false }

  /// Whether an item is a row: all items above it are expanded.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: Whether it is a row; `false` for an unknown item.
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

  /// The list of the nodes below a parent; the roots for `nil`.
  func siblings(under parent: Int?) -> SiblingList { parent.map { self[$0].children } ?? roots }

  mutating func changeSiblings<Result>(
    under parent: Int?, _ change: (inout SiblingList) -> Result
  ) -> Result {
    guard let parent else { return change(&roots) }
    return change(&self[parent].children)
  }
}
