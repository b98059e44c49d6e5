/// Edits of the forest, by identifier. An edit that throws has changed nothing.
extension ItemTree {
  /// Adds items below another one, or at the top, after the items that are there.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - parent: The identifier of the item above them; `nil` for the top.
  /// - Throws: ``EditError`` for an unknown parent, or an item that is there already.
  /// - Complexity: O(items · log *n*).
  public mutating func append(_ items: [Item], to parent: ID? = nil) throws(EditError) {
    let parent = try parent.map { id throws(EditError) in try number(of: id) }
    try add(items, under: parent, before: parent.map(Outline.closing))
  }

  /// Adds items before another one, on its level.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - other: The identifier of the item that follows them.
  /// - Throws: ``EditError`` for an unknown `other`, or an item that is there already.
  /// - Complexity: O(items · log *n*).
  public mutating func insert(_ items: [Item], before other: ID) throws(EditError) {
    let number = try number(of: other)
    try add(items, under: outline.parent(of: number), before: Outline.opening(number))
  }

  /// Adds items after another one, on its level.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - other: The identifier of the item before them.
  /// - Throws: ``EditError`` for an unknown `other`, or an item that is there already.
  /// - Complexity: O(items · log *n*).
  public mutating func insert(_ items: [Item], after other: ID) throws(EditError) {
    let number = try number(of: other)
    let next = outline.next(Outline.closing(number))
    try add(items, under: outline.parent(of: number), before: next)
  }

  /// Removes items with all their descendants.
  ///
  /// - Parameter ids: The identifiers of the items.
  /// - Throws: ``EditError`` for an unknown item.
  /// - Complexity: O(log *n*) for each item removed.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    var doomed: [ID] = []
    for id in ids {
      _ = try number(of: id)
      doomed.append(id)
    }
    for id in doomed {
      // A descendant of a removed item has gone with it, also if it was named itself.
      guard let number = numbers[id] else { continue }
      for gone in outline.remove(number) {
        numbers.removeValue(forKey: Self.unbox(gone).diffIdentifier)
      }
    }
    if count == 0 { self = Self() }
  }

  /// Moves an item with all its descendants below another one, or to the top, after the items that
  /// are there.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - parent: The identifier of the item above it then; `nil` for the top.
  /// - Throws: ``EditError`` for an unknown item, or one that is moved below itself.
  /// - Complexity: O(depth + log *n*).
  public mutating func move(_ id: ID, to parent: ID?) throws(EditError) {
    let number = try number(of: id)
    let parent = try parent.map { id throws(EditError) in try self.number(of: id) }
    try requireOutside(parent, of: number)
    outline.move(number, under: parent, before: parent.map(Outline.closing))
  }

  /// Moves an item with all its descendants before another one, on its level.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - other: The identifier of the item that follows it then.
  /// - Throws: ``EditError`` for an unknown item, or one that is moved below itself.
  /// - Complexity: O(depth + log *n*).
  public mutating func move(_ id: ID, before other: ID) throws(EditError) {
    let (number, target) = (try number(of: id), try number(of: other))
    guard number != target else { return }
    try requireOutside(target, of: number)
    outline.move(number, under: outline.parent(of: target), before: Outline.opening(target))
  }

  /// Replaces items by newer ones with the same identifiers.
  ///
  /// - Parameter items: The newer items.
  /// - Throws: ``EditError`` for an unknown item.
  /// - Complexity: O(items).
  public mutating func replace(_ items: [Item]) throws(EditError) {
    var places: [Outline.Number] = []
    for item in items { places.append(try number(of: item.diffIdentifier)) }
    for (number, item) in zip(places, items) { outline.replace(number, by: Box(item)) }
  }

  /// The error of an edit that was refused; a tree has no sections.
  public typealias EditError = AsyncDiff.EditError<Never, ID>
}

extension ItemTree {
  func number(of id: ID, _ call: String = #function) throws(EditError) -> Outline.Number {
    guard let number = numbers[id] else { throw EditError(.unknownItem(id), in: call) }
    return number
  }

  private mutating func add(
    _ added: [Item], under parent: Outline.Number?, before link: Outline.Link?,
    _ call: String = #function
  ) throws(EditError) {
    var given: Set<ID> = []
    for item in added {
      let id = item.diffIdentifier
      requireIdentity(id)
      guard numbers[id] == nil, given.insert(id).inserted else {
        throw EditError(.duplicateItem(id), in: call)
      }
    }
    let places = added.map { item in
      let number = outline.add(Box(item), under: parent)
      numbers.updateValue(number, forKey: item.diffIdentifier)
      return number
    }
    outline.insert(places, before: link)
  }

  private func requireOutside(
    _ target: Outline.Number?, of number: Outline.Number, _ call: String = #function
  ) throws(EditError) {
    var above = target
    while let next = above {
      guard next != number else {
        throw EditError(.insideItself(self[number].diffIdentifier), in: call)
      }
      above = outline.parent(of: next)
    }
  }
}
