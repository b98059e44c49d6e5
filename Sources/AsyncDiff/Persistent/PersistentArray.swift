/// An array whose copies share all elements that were not changed.
///
/// A tree of which each node has up to 32 children. A change copies the nodes on its path that another
/// array shares, and changes the others in place.
struct PersistentArray<Element: Sendable>: Sendable {
  fileprivate enum Node: Sendable {
    case leaf([Element])
    case branch([Node])
  }

  private(set) var count = 0
  private var root = Node.leaf([])
  /// The number of an index's bits that choose a place below a child of the root.
  private var shift = 0

  /// The element at an index.
  ///
  /// - Complexity: O(log *n*) with base 32.
  subscript(index: Int) -> Element {
    var (node, shift) = (root, shift)
    while true {
      switch node {
      case .leaf(let elements): return elements[index & 31]
      case .branch(let nodes): node = nodes[(index >> shift) & 31]
      }
      shift -= 5
    }
  }

  /// Adds an element at the end.
  mutating func append(_ element: Element) {
    if count == 32 << shift {
      root = .branch([root])
      shift += 5
    }
    root.change(at: count, shift) { $0.append(element) }
    count += 1
  }

  /// Changes the element at an index.
  mutating func change(_ index: Int, _ body: (inout Element) -> Void) {
    root.change(at: index, shift) { body(&$0[index & 31]) }
  }
}

extension PersistentArray.Node {
  /// Changes the leaf of an index; makes the leaf behind the last one.
  mutating func change(at index: Int, _ shift: Int, _ body: (inout [Element]) -> Void) {
    // Taken out of the node, the array is changed in place if nobody shares it.
    switch self {
    case .leaf(var elements):
      self = .leaf([])
      body(&elements)
      self = .leaf(elements)
    case .branch(var nodes):
      self = .leaf([])
      let place = (index >> shift) & 31
      if place == nodes.count { nodes.append(shift == 5 ? .leaf([]) : .branch([])) }
      nodes[place].change(at: index, shift - 5, body)
      self = .branch(nodes)
    }
  }
}
