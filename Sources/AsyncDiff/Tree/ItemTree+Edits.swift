/// Edits of the forest, by identifier. An edit that throws has changed nothing.
extension ItemTree {
  /// Adds items below another one, or at the top, after the items that are there.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - parent: The identifier of the item above them; `nil` for the top.
  /// - Throws: ``TreeError`` for an unknown parent, or an item that is there already.
  /// - Complexity: O(items · log *n* + depth · log *n*).
  public mutating func append(_ items: [Item], to parent: ID? = nil) throws(TreeError<ID>) {
    let call = "append(_:to:)"
    let parent = try parent.map { id throws(TreeError<ID>) in try number(of: id, call) }
    try requireNew(items, call)
    let first = siblings(under: parent).members.count
    for (offset, item) in items.enumerated() {
      let number = add(Node(item: item, parent: parent, place: first + offset))
      changeSiblings(under: parent) { $0.append(number, rows: 1) }
    }
    if let parent, self[parent].isExpanded { addRows(items.count, to: parent) }
  }

  /// Adds items before another one, on its level.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - other: The identifier of the item that follows them.
  /// - Throws: ``TreeError`` for an unknown `other`, or an item that is there already.
  /// - Complexity: O(siblings · log *n*).
  public mutating func insert(_ items: [Item], before other: ID) throws(TreeError<ID>) {
    try insert(items, beside: other, shift: 0, "insert(_:before:)")
  }

  /// Adds items after another one, on its level.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - other: The identifier of the item before them.
  /// - Throws: ``TreeError`` for an unknown `other`, or an item that is there already.
  /// - Complexity: O(siblings · log *n*).
  public mutating func insert(_ items: [Item], after other: ID) throws(TreeError<ID>) {
    try insert(items, beside: other, shift: 1, "insert(_:after:)")
  }

  /// Removes items with all their descendants.
  ///
  /// - Parameter ids: The identifiers of the items.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(items removed + depth + siblings · log *n*), and O(depth · log *n*) for each
  ///   item that loses some below it: remove many with one call.
  public mutating func delete(_ ids: some Sequence<ID>) throws(TreeError<ID>) {
    var doomed: Set<Int> = []
    for id in ids { doomed.insert(try number(of: id, "delete(_:)")) }
    // A descendant of a removed item goes with it, also if it was named itself.
    let tops = outermost(of: doomed)
    for (parent, gone) in Dictionary(grouping: tops, by: { self[$0].parent }) {
      let gone = Set(gone)
      setMembers(siblings(under: parent).members.filter { !gone.contains($0) }, under: parent)
    }
    var rest = Array(tops)
    while let gone = rest.popLast() {
      rest += self[gone].children.members
      numbers[self[gone].item.diffIdentifier] = nil
      self[gone].children = SiblingList()
      free.append(gone)
    }
    if free.count > 64, free.count > nodes.count / 2 { dropFreeNodes() }
  }

  /// Moves an item with all its descendants below another one, or to the top, after the items that
  /// are there.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - parent: The identifier of the item above it then; `nil` for the top.
  /// - Throws: ``TreeError`` for an unknown item, or one that is moved below itself.
  /// - Complexity: O(depth · log *n* + siblings · log *n*).
  public mutating func move(_ id: ID, to parent: ID?) throws(TreeError<ID>) {
    let call = "move(_:to:)"
    let number = try number(of: id, call)
    let parent = try parent.map { id throws(TreeError<ID>) in try self.number(of: id, call) }
    try requireOutside(parent, of: number, call)
    detach(number)
    attach([number], under: parent, at: siblings(under: parent).members.count)
  }

  /// Moves an item with all its descendants before another one, on its level.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - other: The identifier of the item that follows it then.
  /// - Throws: ``TreeError`` for an unknown item, or one that is moved below itself.
  /// - Complexity: O(depth · log *n* + siblings · log *n*).
  public mutating func move(_ id: ID, before other: ID) throws(TreeError<ID>) {
    let call = "move(_:before:)"
    let (number, target) = (try number(of: id, call), try number(of: other, call))
    guard number != target else { return }
    try requireOutside(target, of: number, call)
    detach(number)
    attach([number], under: self[target].parent, at: self[target].place)
  }

  /// Replaces items by newer ones with the same identifiers.
  ///
  /// - Parameter items: The newer items.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(items).
  public mutating func replace(_ items: [Item]) throws(TreeError<ID>) {
    var places: [Int] = []
    for item in items { places.append(try number(of: item.diffIdentifier, "replace(_:)")) }
    for (number, item) in zip(places, items) { self[number].item = item }
  }
}

/// The error of an edit that was refused; the tree has not changed.
public struct TreeError<ID: Hashable & Sendable>: Error, Hashable, CustomStringConvertible {
  /// What was wrong with the identifiers given.
  public enum Problem: Hashable, Sendable {
    /// No item has this identifier.
    case unknownItem(ID)
    /// An item with this identifier is there already, or was given twice.
    case duplicateItem(ID)
    /// An item would stand below itself.
    case insideItself(ID)
  }

  /// The edit that was refused.
  public let call: String
  /// What was wrong with the identifiers given.
  public let problem: Problem

  /// The edit, the rule and the identifier.
  public var description: String {
    switch problem {
    case .unknownItem(let id): "\(call): no item has the identifier \(id)"
    case .duplicateItem(let id): "\(call): an item already has the identifier \(id)"
    case .insideItself(let id): "\(call): the item \(id) cannot stand below itself"
    }
  }
}

extension ItemTree {
  func number(of id: ID, _ call: String) throws(TreeError<ID>) -> Int {
    guard let number = numbers[id] else { throw TreeError(call: call, problem: .unknownItem(id)) }
    return number
  }

  private func requireNew(_ items: [Item], _ call: String) throws(TreeError<ID>) {
    var given: Set<ID> = []
    for item in items {
      let id = item.diffIdentifier
      requireIdentity(id)
      guard numbers[id] == nil, given.insert(id).inserted else {
        throw TreeError(call: call, problem: .duplicateItem(id))
      }
    }
  }

  private func requireOutside(
    _ target: Int?, of number: Int, _ call: String
  ) throws(TreeError<ID>) {
    var above = target
    while let next = above {
      guard next != number else {
        throw TreeError(
          call: call, problem: .insideItself(self[number].item.diffIdentifier))
      }
      above = self[next].parent
    }
  }

  /// The nodes of a set that stand below no other node of the set.
  ///
  /// - Complexity: O(nodes of the set and nodes above them): no node is looked at twice.
  private func outermost(of numbers: Set<Int>) -> [Int] {
    /// Whether each node that was looked at is in the set, or below a node of it.
    var isGone: [Int: Bool] = [:]
    return numbers.filter { number in
      var path: [Int] = []
      var above = self[number].parent
      var isBelow = false
      while let next = above {
        if let known = numbers.contains(next) ? true : isGone[next] {
          isBelow = known
          break
        }
        path.append(next)
        above = self[next].parent
      }
      for passed in path { isGone[passed] = isBelow }
      return !isBelow
    }
  }

  private mutating func insert(
    _ items: [Item], beside other: ID, shift: Int, _ call: String
  ) throws(TreeError<ID>) {
    let target = self[try number(of: other, call)]
    try requireNew(items, call)
    attach(
      items.map { add(Node(item: $0, parent: target.parent)) }, under: target.parent,
      at: target.place + shift)
  }

  private mutating func add(_ node: Node) -> Int {
    guard let number = free.popLast() else {
      numbers[node.item.diffIdentifier] = nodes.count
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[number] = node
    numbers[node.item.diffIdentifier] = number
    return number
  }

  private mutating func attach(_ added: [Int], under parent: Int?, at place: Int) {
    for number in added { self[number].parent = parent }
    var members = siblings(under: parent).members
    members.insert(contentsOf: added, at: place)
    setMembers(members, under: parent)
  }

  private mutating func detach(_ number: Int) {
    let parent = self[number].parent
    var members = siblings(under: parent).members
    members.remove(at: self[number].place)
    setMembers(members, under: parent)
  }

  private mutating func setMembers(_ members: [Int], under parent: Int?) {
    let before = siblings(under: parent).rowCount
    for (place, member) in members.enumerated() { self[member].place = place }
    var list = SiblingList()
    list.replaceAll(members) { rowCount(of: $0) }
    changeSiblings(under: parent) { $0 = list }
    if let parent, self[parent].isExpanded { addRows(list.rowCount - before, to: parent) }
  }

  /// Renumbers the nodes, so that deleted items are released.
  private mutating func dropFreeNodes() {
    let gone = Set(free)
    var renumbered = [Int](repeating: -1, count: nodes.count)
    var kept: [Node] = []
    for number in nodes.indices where !gone.contains(number) {
      renumbered[number] = kept.count
      kept.append(nodes[number])
    }
    let counts = nodes.indices.map { renumbered[$0] < 0 ? 0 : rowCount(of: $0) }
    func renumber(_ list: SiblingList) -> SiblingList {
      var new = SiblingList()
      for member in list.members { new.append(renumbered[member], rows: counts[member]) }
      return new
    }
    roots = renumber(roots)
    for number in kept.indices {
      kept[number].parent = kept[number].parent.map { renumbered[$0] }
      kept[number].children = renumber(kept[number].children)
    }
    nodes = kept
    free = []
    numbers = numbers.mapValues { renumbered[$0] }
  }
}
