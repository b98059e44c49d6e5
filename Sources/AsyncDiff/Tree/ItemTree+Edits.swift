/// Edits of the forest by identifier.
extension ItemTree {
  /// Adds items after the last child of another item, or after the last item at the top level, in O(items + siblings + depth).
  ///
  /// - Parameters:
  ///   - items: The items to add.
  ///   - parent: The identifier of the parent; `nil` for the top level.
  /// - Throws: ``EditError`` if the parent is unknown, or an item is a duplicate.
  public mutating func append(_ items: [Item], to parent: ID? = nil) throws(EditError) {
    let parent = try number(of: parent)
    try add(items, under: parent, at: entries[parent].children.count)
  }

  /// Inserts items before another item, as its siblings, in O(items + siblings + depth); throws for an unknown `other` or a
  /// duplicate item.
  public mutating func insert(_ items: [Item], before other: ID) throws(EditError) {
    let (parent, offset) = place(of: try number(of: other))
    try add(items, under: parent, at: offset)
  }

  /// Inserts items after another item, as its siblings, in O(items + siblings + depth); throws for an unknown `other` or a
  /// duplicate item.
  public mutating func insert(_ items: [Item], after other: ID) throws(EditError) {
    let (parent, offset) = place(of: try number(of: other))
    try add(items, under: parent, at: offset + 1)
  }

  /// Removes items with all their descendants, in O(removed items + siblings + depth of each parent); throws for an unknown item.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    var doomed: Set<Int> = []
    for id in ids { doomed.insert(try number(of: id)) }
    for parent in Set(doomed.compactMap { entries[$0].parent }) { detach(doomed, from: parent) }
    release(doomed)
  }

  /// Moves an item with all its descendants to the end of another item's children, or to the end of the top level.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - parent: The identifier of the new parent; `nil` for the top level.
  /// - Throws: ``EditError`` for an unknown item, or an item that would move into its own subtree.
  /// - Complexity: O(depth + siblings).
  public mutating func move(_ id: ID, to parent: ID?) throws(EditError) {
    _ = try number(of: id)
    let parent = try number(of: parent)
    try move(id, under: parent, at: entries[parent].children.count)
  }

  /// Moves an item with all its descendants to the position before another item, so that the two items become siblings.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - other: The identifier of the item that becomes the next sibling of the moved one.
  /// - Throws: ``EditError`` for an unknown item, or an item that would move into its own subtree.
  /// - Complexity: O(depth + siblings).
  public mutating func move(_ id: ID, before other: ID) throws(EditError) {
    let (number, target) = (try number(of: id), try number(of: other))
    guard number != target else { return }
    let (parent, offset) = place(of: target)
    try move(id, under: parent, at: offset)
  }

  /// Replaces items with newer versions that have the same identifiers, in O(items); throws for an unknown item.
  public mutating func replace(_ items: [Item]) throws(EditError) {
    var places: [Int] = []
    for item in items { places.append(try number(of: item.diffIdentifier)) }
    for (number, item) in zip(places, items) { replaceItem(number, by: item) }
  }

  /// The error that a failed edit throws; it never contains a section's identifier, because a tree has no sections.
  public typealias EditError = AsyncDiff.EditError<Never, ID>
}

extension ItemTree {
  /// The index of an item's entry, or of the top entry if `id` is `nil`.
  func number(of id: ID?, _ call: String = #function) throws(EditError) -> Int {
    guard let id else { return 0 }
    guard let number = numbers[id] else { throw EditError(.unknownItem(id), in: call) }
    return number
  }

  /// The index of the parent's entry, and the item's offset among the parent's children.
  private func place(of number: Int) -> (parent: Int, offset: Int) {
    let parent = entries[number].parent ?? 0
    return (parent, entries[parent].children.firstIndex(of: number) ?? 0)
  }

  private mutating func add(
    _ added: [Item], under parent: Int, at offset: Int, _ call: String = #function
  ) throws(EditError) {
    var given: Set<ID> = []
    for item in added {
      let id = item.diffIdentifier
      requireIdentity(id)
      guard numbers[id] == nil, given.insert(id).inserted else {
        throw EditError(.duplicateItem(id), in: call)
      }
    }
    attach(added.map { makeEntry(of: $0) }, under: parent, at: offset)
  }

  /// Moves an item to an offset among the children of another item.
  private mutating func move(
    _ id: ID, under parent: Int, at offset: Int, _ call: String = #function
  ) throws(EditError) {
    let number = try number(of: id, call)
    var above = Optional(parent)
    while let here = above {
      if here == number { throw EditError(.insideItself(id), in: call) }
      above = entries[here].parent
    }
    let old = place(of: number)
    detach([number], from: old.parent)
    attach(
      [number], under: parent, at: old.parent == parent && old.offset < offset ? offset - 1 : offset
    )
  }
}
