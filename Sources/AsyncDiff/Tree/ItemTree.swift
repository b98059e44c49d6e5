/// An outline: a forest of items, each of which is a row if all its ancestors are expanded.
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
/// A section shows a tree by returning ``rows`` as its items. The descendants of a collapsed item remember whether
/// they are expanded.
///
/// An edit throws and changes nothing if it refers to an unknown item, adds a duplicate one, or would move an item into its own
/// subtree. The first edit of a copy costs O(*n*) for *n* items, because it copies their storage.
public struct ItemTree<Item: Diffable & Equatable & Sendable>: Sendable {
  /// The type of the items' identifiers.
  public typealias ID = Item.DiffIdentifier

  /// The index of each item's entry.
  var numbers: [ID: Int] = [:]
  /// The entries of the items, after the top entry, which has no item and is always expanded.
  private(set) var entries = [Entry()]
  /// The indices of unused entries.
  private var free: [Int] = []

  /// An item with its children.
  struct Entry: Sendable {
    /// `nil` in the top entry, and in an unused entry.
    var item: Item?
    /// `nil` in the top entry, and in an entry that is not attached.
    var parent: Int?
    var children: [Int] = []
    var isExpanded = true
    /// The number of rows that the descendants have when the item is expanded and is itself a row.
    var rowsBelow = 0

    /// The number of rows of the item and its descendants, if the item is itself a row.
    var rows: Int { isExpanded ? 1 + rowsBelow : 1 }
  }

  /// Creates an empty forest.
  public init() {}

  /// The number of items, including hidden ones.
  public var count: Int { numbers.count }

  /// The number of rows, in O(1).
  public var rowCount: Int { entries[0].rowsBelow }
}

extension ItemTree {
  /// Whether the forest contains an item, even a hidden one.
  public func contains(_ id: ID) -> Bool { numbers[id] != nil }

  /// The item with an identifier, or `nil` if there is none.
  public func item(withID id: ID) -> Item? { numbers[id].flatMap { entries[$0].item } }

  /// The parent of an item; `nil` for an item at the top level, or an unknown item.
  public func parent(of id: ID) -> Item? {
    numbers[id].flatMap { entries[$0].parent }.flatMap { entries[$0].item }
  }

  /// The children of an item, or the items at the top level if `id` is `nil`; empty for an unknown item.
  public func children(of id: ID?) -> [Item] {
    guard let number = id.map({ numbers[$0] }) ?? 0 else { return [] }
    return entries[number].children.compactMap { entries[$0].item }
  }

  /// The number of ancestors of an item, found in O(level): 0 for an item at the top level, `nil` for an unknown item.
  public func level(of id: ID) -> Int? {
    numbers[id].map {
      sequence(first: $0) { entries[$0].parent }.reduce(-2) { level, _ in level + 1 }
    }
  }

  /// Whether an item is expanded; `false` for an unknown item.
  public func isExpanded(_ id: ID) -> Bool { numbers[id].map { entries[$0].isExpanded } ?? false }
}

/// The steps that edits are made of; each step keeps the row counts up to date.
extension ItemTree {
  /// Creates an entry for an item; the entry has no parent yet.
  mutating func makeEntry(of item: Item) -> Int {
    let entry = Entry(item: item, isExpanded: false)
    let number = free.popLast() ?? entries.count
    if number == entries.count { entries.append(entry) } else { entries[number] = entry }
    numbers[item.diffIdentifier] = number
    return number
  }

  /// Inserts parentless entries into the children of another entry.
  mutating func attach(_ added: [Int], under parent: Int, at offset: Int) {
    for number in added { entries[number].parent = parent }
    entries[parent].children.insert(contentsOf: added, at: offset)
    addRows(added.reduce(0) { $0 + entries[$1].rows }, below: parent)
  }

  /// Removes entries from the children of another entry.
  mutating func detach(_ doomed: Set<Int>, from parent: Int) {
    let gone = entries[parent].children.filter(doomed.contains)
    entries[parent].children.removeAll(where: doomed.contains)
    for number in gone { entries[number].parent = nil }
    addRows(-gone.reduce(0) { $0 + entries[$1].rows }, below: parent)
  }

  /// Releases detached entries and all their descendants.
  mutating func release(_ doomed: Set<Int>) {
    var rest = Array(doomed)
    while let number = rest.popLast() {
      let entry = entries[number]
      entries[number] = Entry()
      free.append(number)
      if let item = entry.item { numbers[item.diffIdentifier] = nil }
      rest += entry.children
    }
    if numbers.isEmpty { self = Self() }
  }

  mutating func replaceItem(_ number: Int, by item: Item) {
    entries[number].item = item
    // The old identifier may hold the old item, and assigning a value does not replace an equal key.
    numbers[item.diffIdentifier] = nil
    numbers[item.diffIdentifier] = number
  }

  mutating func setExpanded(_ isExpanded: Bool, _ number: Int) {
    guard entries[number].isExpanded != isExpanded, let parent = entries[number].parent else {
      return
    }
    entries[number].isExpanded = isExpanded
    addRows(isExpanded ? entries[number].rowsBelow : -entries[number].rowsBelow, below: parent)
  }

  private mutating func addRows(_ count: Int, below number: Int) {
    var next = count == 0 ? nil : Optional(number)
    while let number = next {
      entries[number].rowsBelow += count
      next = entries[number].isExpanded ? entries[number].parent : nil
    }
  }
}
