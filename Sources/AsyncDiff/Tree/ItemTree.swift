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
/// there already. The first edit of a copy costs O(*n*) for *n* items, because it copies their storage.
public struct ItemTree<Item: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the items' identifiers.
  public typealias ID = Item.DiffIdentifier

  /// The node of each item.
  var numbers: [ID: Int] = [:]
  /// The first node is the top: it has no item, and is always expanded.
  private(set) var nodes = [Node()]
  /// The numbers of nodes whose items were deleted.
  private var free: [Int] = []

  /// An item, with what is directly below it.
  struct Node: Sendable {
    /// `nil` at the top, and in a node that is not used.
    var item: Item?
    /// `nil` at the top.
    var parent: Int?
    var children: [Int] = []
    var isExpanded = true
    /// The number of rows below the item while it is expanded and a row itself.
    var rowsBelow = 0

    /// The number of rows of the item and those below it, while it is a row.
    var rows: Int { isExpanded ? 1 + rowsBelow : 1 }
  }

  /// Creates an empty forest.
  public init() {}

  /// The number of items, shown or not.
  public var count: Int { numbers.count }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  public var rowCount: Int { nodes[0].rowsBelow }
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
  public func item(withID id: ID) -> Item? { numbers[id].flatMap { nodes[$0].item } }

  /// The item directly above another one.
  ///
  /// - Parameter id: The identifier of the lower item.
  /// - Returns: The item above it; `nil` for an item at the top, or an unknown one.
  public func parent(of id: ID) -> Item? {
    numbers[id].flatMap { nodes[$0].parent }.flatMap { nodes[$0].item }
  }

  /// The items directly below another one, or those at the top.
  ///
  /// - Parameter id: The identifier of the upper item; `nil` for the top.
  /// - Returns: The items, in order; none for an unknown item.
  /// - Complexity: O(items).
  public func children(of id: ID?) -> [Item] {
    guard let number = id.map({ numbers[$0] }) ?? 0 else { return [] }
    return nodes[number].children.compactMap { nodes[$0].item }
  }

  /// The number of items above an item, 0 at the top.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The level; `nil` for an unknown item.
  /// - Complexity: O(level).
  public func level(of id: ID) -> Int? {
    numbers[id].map {
      sequence(first: $0) { nodes[$0].parent }.reduce(-2) { level, _ in level + 1 }
    }
  }

  /// Whether an item is expanded: the items directly below it are rows if it is a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: Whether it is expanded; `false` for an unknown item.
  public func isExpanded(_ id: ID) -> Bool { numbers[id].map { nodes[$0].isExpanded } ?? false }
}

/// The steps of which edits are made; each keeps the numbers of rows.
extension ItemTree {
  /// Makes the node of an item that stands nowhere yet.
  mutating func makeNode(of item: Item) -> Int {
    let node = Node(item: item, isExpanded: false)
    let number = free.popLast() ?? nodes.count
    if number == nodes.count { nodes.append(node) } else { nodes[number] = node }
    numbers[item.diffIdentifier] = number
    return number
  }

  /// Puts nodes that stand nowhere among the children of another one.
  mutating func attach(_ added: [Int], under parent: Int, at offset: Int) {
    for number in added { nodes[number].parent = parent }
    nodes[parent].children.insert(contentsOf: added, at: offset)
    addRows(added.reduce(0) { $0 + nodes[$1].rows }, below: parent)
  }

  /// Takes nodes away from the children of another one.
  mutating func detach(_ doomed: Set<Int>, from parent: Int) {
    let gone = nodes[parent].children.filter(doomed.contains)
    nodes[parent].children.removeAll(where: doomed.contains)
    for number in gone { nodes[number].parent = nil }
    addRows(-gone.reduce(0) { $0 + nodes[$1].rows }, below: parent)
  }

  /// Releases the items of nodes that stand nowhere, and of those below them.
  mutating func release(_ doomed: Set<Int>) {
    var rest = Array(doomed)
    while let number = rest.popLast() {
      let node = nodes[number]
      nodes[number] = Node()
      free.append(number)
      if let item = node.item { numbers[item.diffIdentifier] = nil }
      rest += node.children
    }
    if numbers.isEmpty { self = Self() }
  }

  mutating func replaceItem(_ number: Int, by item: Item) { nodes[number].item = item }

  mutating func setExpanded(_ isExpanded: Bool, _ number: Int) {
    guard nodes[number].isExpanded != isExpanded, let parent = nodes[number].parent else { return }
    nodes[number].isExpanded = isExpanded
    addRows(isExpanded ? nodes[number].rowsBelow : -nodes[number].rowsBelow, below: parent)
  }

  private mutating func addRows(_ count: Int, below number: Int) {
    var next = count == 0 ? nil : Optional(number)
    while let number = next {
      nodes[number].rowsBelow += count
      next = nodes[number].isExpanded ? nodes[number].parent : nil
    }
  }
}
