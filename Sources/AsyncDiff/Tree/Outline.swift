/// A forest as brackets: each item opens one and closes it behind the items below it.
///
/// `a` with `b` and `c` below it is `(()())`. So the level of an item is the number of brackets open
/// where it begins, and it is a row if none of those is a collapsed item's. The brackets stand in one
/// balanced tree (a treap: Seidel and Aragon, 1996) with the sums of what is below each; expanding changes
/// two of them, and moving an item with all below it cuts the sequence twice.
struct Outline: Sendable {
  /// The number of an item.
  typealias Number = Int32
  /// The number of a bracket: 2n opens item n, 2n + 1 closes it.
  typealias Link = Int32

  /// The sum of brackets that follow each other.
  struct Span: Sendable {
    /// The number of brackets opened, less those closed.
    var level: Int32 = 0
    /// The same, counting only brackets of collapsed items.
    var hidden: Int32 = 0
    /// The fewest brackets of collapsed items that are open at any item's beginning; they count from the
    /// first bracket of these, so the number may be negative.
    var least = Int32.max / 2
    /// The number of items that begin where so few are open: rows, if none are open before the first.
    var rows: Int32 = 0

    static func + (lhs: Self, rhs: Self) -> Self {
      let least = min(lhs.least, lhs.hidden + rhs.least)
      return Self(
        level: lhs.level + rhs.level, hidden: lhs.hidden + rhs.hidden, least: least,
        rows: (lhs.least == least ? lhs.rows : 0)
          + (lhs.hidden + rhs.least == least ? rhs.rows : 0))
    }
  }

  /// An item of a type that is not known here, so that the code of a tree is compiled once for all types.
  typealias Boxed = any AnyObject & Sendable

  /// An item that is shown.
  struct Row {
    let item: Boxed?
    let level: Int
    let isExpanded: Bool
    var hasChildren = false
  }

  fileprivate struct Bracket: Sendable {
    var up: Link?
    var left: Link?
    var right: Link?
    /// The item, in its opening bracket.
    var item: Boxed?
    /// The item above; for a number that is not in use, the next one of those.
    var parent: Number?
    var isCollapsed = true
    /// The sum of the brackets in this part of the tree.
    var span = Span()
  }

  private var brackets = PersistentArray<Bracket>()
  private var root: Link?
  private var free: Number?

  static func opening(_ number: Number) -> Link { 2 * number }
  static func closing(_ number: Number) -> Link { 2 * number + 1 }
  static func isOpening(_ link: Link) -> Bool { link & 1 == 0 }
  static func number(of link: Link) -> Number { link / 2 }

  /// The number of rows.
  var rowCount: Int { Int(span(root).rows) }

  /// The first bracket of all.
  var first: Link? { root.map { leftmost($0) } }

  func item(_ number: Number) -> Boxed? { self[Self.opening(number)].item }

  func parent(of number: Number) -> Number? { self[Self.opening(number)].parent }

  func isExpanded(_ number: Number) -> Bool { !self[Self.opening(number)].isCollapsed }

  /// The rows, from top to bottom.
  ///
  /// - Complexity: O(rows) for all that are expanded, O(log *n*) for each that hides others.
  var rows: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(rowCount)
    var before = Span()
    appendRows(of: root, after: &before, to: &rows)
    return rows
  }

  /// Walks through a list; the items of a part without rows are below the last row.
  private func appendRows(of list: Link?, after before: inout Span, to rows: inout [Row]) {
    guard let link = list else { return }
    let bracket = self[link]
    guard before.hidden + bracket.span.least == 0 else {
      if bracket.span.rows > 0 { rows[rows.count - 1].hasChildren = true }
      before = before + bracket.span
      return
    }
    appendRows(of: bracket.left, after: &before, to: &rows)
    if Self.isOpening(link) {
      if let last = rows.indices.last, before.hidden > 0 || rows[last].level < before.level {
        rows[last].hasChildren = true
      }
      if before.hidden == 0 { rows.append(Row(bracket, after: before)) }
    }
    before = before + own(link, bracket)
    appendRows(of: bracket.right, after: &before, to: &rows)
  }

  /// The items directly below another one, or those at the top.
  func children(of number: Number?) -> [Number] {
    var children: [Number] = []
    var link = number.map { next(Self.opening($0)) } ?? first
    while let child = link, Self.isOpening(child) {
      children.append(Self.number(of: child))
      link = next(Self.closing(Self.number(of: child)))
    }
    return children
  }

  /// The sum of all brackets before one.
  ///
  /// - Complexity: O(log *n*).
  func span(before link: Link) -> Span {
    var (child, bracket) = (link, self[link])
    var sum = span(bracket.left)
    while let up = bracket.up {
      bracket = self[up]
      if bracket.right == child { sum = span(bracket.left) + own(up, bracket) + sum }
      child = up
    }
    return sum
  }

  /// The row at an offset.
  ///
  /// - Complexity: O(log *n*).
  func row(at offset: Int) -> Row {
    var (link, before, rest) = (root, Span(), Int32(offset))
    while let here = link {
      let bracket = self[here]
      let left = span(bracket.left)
      let rows = before.hidden + left.least == 0 ? left.rows : 0
      guard rest >= rows else {
        link = bracket.left
        continue
      }
      before = before + left
      rest -= rows
      if Self.isOpening(here), before.hidden == 0 {
        if rest == 0 {
          var row = Row(bracket, after: before)
          row.hasChildren = next(here) != Self.closing(Self.number(of: here))
          return row
        }
        rest -= 1
      }
      before = before + own(here, bracket)
      link = bracket.right
    }
    fatalError("an outline has lost row \(offset)")
  }

  /// The bracket behind another one.
  func next(_ link: Link) -> Link? {
    var (child, bracket) = (link, self[link])
    if let right = bracket.right { return leftmost(right) }
    while let up = bracket.up {
      bracket = self[up]
      if bracket.left == child { return up }
      child = up
    }
    return nil
  }
}

extension Outline.Row {
  fileprivate init(_ bracket: Outline.Bracket, after before: Outline.Span) {
    self.init(item: bracket.item, level: Int(before.level), isExpanded: !bracket.isCollapsed)
  }
}

extension Outline {
  /// Makes the brackets of an item that stands nowhere yet.
  mutating func add(_ item: Boxed, under parent: Number?) -> Number {
    let opening = Bracket(item: item, parent: parent)
    guard let number = free else {
      brackets.append(opening)
      brackets.append(Bracket())
      return Number(brackets.count / 2 - 1)
    }
    free = self.parent(of: number)
    change(Self.opening(number)) { $0 = opening }
    change(Self.closing(number)) { $0 = Bracket() }
    return number
  }

  mutating func replace(_ number: Number, by item: Boxed) {
    change(Self.opening(number)) { $0.item = item }
  }

  /// Puts items that stand nowhere, without items below them, before a bracket, or at the end.
  ///
  /// - Complexity: O(items + log *n*).
  mutating func insert(_ numbers: [Number], before link: Link?) {
    insert(list(numbers[...]), before: link)
  }

  /// Moves an item with its descendants before a bracket, or to the end.
  ///
  /// - Complexity: O(log *n*).
  mutating func move(_ number: Number, under parent: Number?, before link: Link?) {
    let list = cut(number)
    change(Self.opening(number)) { $0.parent = parent }
    insert(list, before: link)
  }

  /// Removes an item with its descendants.
  ///
  /// - Returns: The items.
  /// - Complexity: O(items + log *n*).
  mutating func remove(_ number: Number) -> [Boxed] {
    guard let list = cut(number) else { return [] }
    let links = sequence(first: leftmost(list)) { [self] in next($0) }
    return links.filter(Self.isOpening).compactMap { link in
      defer {
        change(link) { [free] in ($0.item, $0.parent) = (nil, free) }
        free = Self.number(of: link)
      }
      return item(Self.number(of: link))
    }
  }

  /// Expands or collapses an item.
  ///
  /// - Complexity: O(log *n*).
  mutating func setExpanded(_ isExpanded: Bool, _ number: Number) {
    for link in [Self.opening(number), Self.closing(number)] {
      change(link) { $0.isCollapsed = !isExpanded }
      var above: Link? = link
      while let here = above {
        let bracket = self[here]
        join(bracket.left, here, bracket.right)
        above = bracket.up
      }
    }
  }

  private subscript(_ link: Link) -> Bracket { brackets[Int(link)] }

  private mutating func change(_ link: Link, _ body: (inout Bracket) -> Void) {
    brackets.change(Int(link), body)
  }

  private func span(_ list: Link?) -> Span { list.map { self[$0].span } ?? Span() }

  /// The sum of one bracket alone.
  private func own(_ link: Link, _ bracket: Bracket) -> Span {
    let collapsed: Int32 = bracket.isCollapsed ? 1 : 0
    return Self.isOpening(link)
      ? Span(level: 1, hidden: collapsed, least: 0, rows: 1)
      : Span(level: -1, hidden: -collapsed)
  }

  private func leftmost(_ link: Link) -> Link {
    var link = link
    while let left = self[link].left { link = left }
    return link
  }

  private mutating func insert(_ list: Link?, before link: Link?) {
    let (left, right) = link.map { split(before: $0) } ?? (root, nil)
    root = join(join(left, list), right)
  }

  /// Takes an item with its descendants out of the forest.
  private mutating func cut(_ number: Number) -> Link? {
    let behind = next(Self.closing(number))
    let (left, rest) = split(before: Self.opening(number))
    let (list, right) = behind.map { split(before: $0) } ?? (rest, nil)
    root = join(left, right)
    return list
  }

  /// A list of items without items below them.
  private mutating func list(_ numbers: ArraySlice<Number>) -> Link? {
    let middle = numbers.startIndex + numbers.count / 2
    guard numbers.count > 1 else {
      guard let number = numbers.first else { return nil }
      for link in [Self.opening(number), Self.closing(number)] { join(nil, link, nil) }
      return join(Self.opening(number), Self.closing(number))
    }
    return join(list(numbers[..<middle]), list(numbers[middle...]))
  }

  /// Splits a list before one of its brackets, from there up.
  private mutating func split(before link: Link) -> (Link?, Link?) {
    let first = self[link]
    var (left, right) = (first.left, Optional(link))
    join(nil, link, first.right)
    var (child, above) = (link, first.up)
    while let here = above {
      let bracket = self[here]
      if bracket.right == child {
        join(bracket.left, here, left)
        left = here
      } else {
        join(right, here, bracket.right)
        right = here
      }
      (child, above) = (here, bracket.up)
    }
    for list in [left, right] {
      if let list { change(list) { $0.up = nil } }
    }
    return (left, right)
  }

  /// Joins two lists; the bracket with the higher priority is on top.
  private mutating func join(_ left: Link?, _ right: Link?) -> Link? {
    guard let left, let right else { return left ?? right }
    if Self.priority(of: left) > Self.priority(of: right) {
      let top = self[left]
      join(top.left, left, join(top.right, right))
      return left
    }
    let top = self[right]
    join(join(left, top.left), right, top.right)
    return right
  }

  /// Puts two lists below a bracket.
  private mutating func join(_ left: Link?, _ top: Link, _ right: Link?) {
    let span = span(left) + own(top, self[top]) + span(right)
    change(top) { ($0.left, $0.right, $0.span) = (left, right, span) }
    for list in [left, right] {
      if let list { change(list) { $0.up = top } }
    }
  }

  /// Numbers that are as good as random ones, and differ for all brackets.
  ///
  /// They are salted: else an order of edits could be chosen by which the tree becomes a list.
  private static func priority(of link: Link) -> UInt32 {
    var number = (UInt32(bitPattern: link) ^ prioritySalt) &* 0x9E37_79B1
    number ^= number >> 15
    number &*= 0x85EB_CA77
    return number ^ number >> 13
  }
}

/// The standard hasher is seeded for each process.
private let prioritySalt = UInt32(truncatingIfNeeded: 1.hashValue)
