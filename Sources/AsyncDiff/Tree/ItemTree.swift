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
/// there already. A copy shares its storage, of which an edit copies O(log *n*).
public struct ItemTree<Item: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the items' identifiers.
  public typealias ID = Item.DiffIdentifier

  /// The numbers of the items in the outline.
  var numbers = PersistentMap<ID, Outline.Number>()
  var outline = Outline()

  /// Creates an empty forest.
  public init() {}

  /// The number of items, shown or not.
  public var count: Int { numbers.count }

  /// The number of rows.
  ///
  /// - Complexity: O(1).
  public var rowCount: Int { outline.rowCount }
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
  public func item(withID id: ID) -> Item? { numbers[id].map { self[$0] } }

  /// The item directly above another one.
  ///
  /// - Parameter id: The identifier of the lower item.
  /// - Returns: The item above it; `nil` for an item at the top, or an unknown one.
  public func parent(of id: ID) -> Item? {
    numbers[id].flatMap { outline.parent(of: $0) }.map { self[$0] }
  }

  /// The items directly below another one, or those at the top.
  ///
  /// - Parameter id: The identifier of the upper item; `nil` for the top.
  /// - Returns: The items, in order; none for an unknown item.
  /// - Complexity: O(items · log *n*).
  public func children(of id: ID?) -> [Item] {
    let number = id.flatMap { numbers[$0] }
    return id != nil && number == nil ? [] : outline.children(of: number).map { self[$0] }
  }

  /// The number of items above an item, 0 at the top.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The level; `nil` for an unknown item.
  /// - Complexity: O(log *n*).
  public func level(of id: ID) -> Int? { before(id).map { Int($0.level) } }

  /// Whether an item is expanded: the items directly below it are rows if it is a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: Whether it is expanded; `false` for an unknown item.
  public func isExpanded(_ id: ID) -> Bool { numbers[id].map(outline.isExpanded) ?? false }

  /// The sum of the brackets before an item.
  func before(_ id: ID) -> Outline.Span? {
    numbers[id].map { outline.span(before: Outline.opening($0)) }
  }

  subscript(_ number: Outline.Number) -> Item { Self.unbox(outline.item(number)) }

  static func unbox(_ item: Outline.Boxed?) -> Item {
    guard let item else { fatalError("a tree has lost an item") }
    // The outline has what this tree put in, and this tree puts in nothing else.
    return unsafe unsafeDowncast(item, to: Box.self).item
  }

  /// An item in the outline.
  final class Box: Sendable {
    let item: Item

    init(_ item: Item) {
      self.item = item
    }
  }
}
