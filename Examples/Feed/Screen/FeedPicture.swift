import AsyncDiff
import TerminalUI

/// The screen as a value: the rows, the cursor, the marks, and the scroll position.
struct FeedPicture {
  typealias ID = AnyNodable.DiffIdentifier

  /// A possible position of the cursor: a header, or an item with one or more lines.
  enum Row: Hashable {
    case header(FeedSection.ID)
    case item(ID)
  }

  private(set) var snapshot = DiffableSnapshot<FeedSection>()
  private var nodes: [ID: FeedNode] = [:]
  /// The maximum number of lines of each item.
  private var heights: [ID: Int] = [:]
  private(set) var marks = ChangeMarks()
  /// The row under the cursor; `nil` only if there are no rows.
  private(set) var cursor: Row?
  /// The option that gets the next vote in a poll under the cursor.
  private(set) var option = 0
  private var firstLine = 0
  var size: Size { didSet { scroll() } }

  init(size: Size) {
    self.size = size
  }

  /// The path of the item under the cursor; `nil` if the cursor is on a header or there are no rows.
  var cursorPath: ItemPath? {
    guard case .item(let id) = cursor else { return nil }
    return snapshot.path(ofItem: id)
  }

  /// The size of the screen and its margins, from which items compute their heights.
  var context: NodeContext {
    NodeContext(
      containerSize: .init(width: Double(size.columns), height: Double(size.rows)),
      contentInset: .init(top: 1, left: 4, bottom: 1))
  }

  mutating func reload(
    _ snapshot: DiffableSnapshot<FeedSection>, nodes: NodeSet
  ) {
    self.snapshot = snapshot
    self.nodes = [:]
    marks = ChangeMarks()
    add(nodes.nodes, nodes.sizes)
    keepCursor(near: 0)
  }

  /// Applies one stage.
  ///
  /// Nodes stay with their items.
  mutating func perform(_ batch: BatchUpdates<FeedSection>) {
    let row = rows.firstIndex { $0 == cursor } ?? 0
    marks.add(batch, before: snapshot)
    let gone =
      batch.itemDeletes.map { snapshot.item(at: $0) }
      + batch.sectionDeletes.flatMap { snapshot.items(in: $0) }
    for item in gone { nodes[item.diffIdentifier] = nil }
    snapshot = batch.snapshot
    add(batch.nodes, batch.sizes)
    keepCursor(near: row)
  }

  mutating func clearMarks() {
    marks = ChangeMarks()
  }

  mutating func moveCursor(by steps: Int) {
    let rows = rows
    guard let row = rows.firstIndex(where: { $0 == cursor }) else { return }
    cursor = rows[min(max(0, row + steps), rows.count - 1)]
    option = 0
    scroll()
  }

  /// Moves the row under the cursor past its neighbor, or to the next or previous section.
  ///
  /// - Returns: The old and the new path; `nil` if the row cannot move.
  mutating func drag(by step: Int) -> ItemPath.Move? {
    guard let from = cursorPath, case .item(let id) = cursor else { return nil }
    var to = ItemPath(section: from.section, item: from.item + step)
    if !snapshot.sections[from.section].items.indices.contains(to.item) {
      to.section += step
      guard snapshot.sections.indices.contains(to.section) else { return nil }
      to.item = step > 0 ? 0 : snapshot.numberOfItems(in: to.section)
    }
    guard let moved = snapshot.movingItem(at: from, to: to) else { return nil }
    snapshot = moved
    marks.add(id, dragged: step > 0 ? .down : .up)
    scroll()
    return ItemPath.Move(from: from, to: to)
  }

  mutating func moveOption(by options: Int) {
    guard let poll = cursorPath.flatMap(snapshot.itemIfPresent(at:))?.base as? Poll else { return }
    option = min(max(0, option + options), poll.options.count - 1)
  }

  private var rows: [Row] {
    snapshot.sections.flatMap { section in
      (section.content == nil ? [] : [Row.header(section.diffIdentifier)])
        + section.items.map { .item($0.diffIdentifier) }
    }
  }

  private mutating func add(
    _ built: [ItemPath: any CellNode], _ sizes: [ItemPath: SizeRange]
  ) {
    for (path, node) in built {
      let id = snapshot.item(at: path).diffIdentifier
      nodes[id] = node as? FeedNode
      heights[id] = sizes[path].flatMap { Int(exactly: $0.max.height.rounded()) }
    }
  }

  /// Keeps the cursor on its row or, if the row was deleted, moves the cursor to the row that is now at its position.
  private mutating func keepCursor(near row: Int) {
    defer { scroll() }
    let rows = rows
    guard cursor.map({ !rows.contains($0) }) ?? true else { return }
    cursor = rows.isEmpty ? nil : rows[min(row, rows.count - 1)]
    option = 0
  }
}

extension FeedPicture {
  /// The lines of all rows, each with its row and its number within the row.
  private var lines: [(row: Row, number: Int, line: FeedNode.Line)] {
    snapshot.sections.flatMap { section in
      let header = section.content.map { header in
        (Row.header(section.diffIdentifier), 0, FeedNode.Line(header.text, .header))
      }
      let items = section.items.flatMap { item in
        let id = item.diffIdentifier
        let lines = (nodes[id]?.lines ?? []).prefix(heights[id] ?? .max)
        return lines.enumerated().map { (Row.item(id), $0.offset, $0.element) }
      }
      return [header].compactMap(\.self) + items
    }
  }

  private var visibleLines: Int { max(0, size.rows - 2) }

  private mutating func scroll() {
    let lines = lines
    let mine = lines.indices.filter { lines[$0].row == cursor }
    guard let first = mine.first, let last = mine.last else { return }
    firstLine = max(min(firstLine, first), last - visibleLines + 1, 0)
    firstLine = max(0, min(firstLine, lines.count - visibleLines))
  }

  /// The drawn screen: the last changes, the rows, and the keys.
  var frame: Frame {
    var frame = Frame(size: size)
    frame.put("Feed", row: 0, column: 0, style: Style(nil, .bold))
    let count = snapshot.numberOfItems == 1 ? "1 row" : "\(snapshot.numberOfItems) rows"
    let room = size.columns - DisplayWidth.of(count) - 7
    frame.putCut(marks.summary, row: 0, column: 6, width: room, style: Style(.green))
    frame.put(count, row: 0, endingAt: size.columns)
    for (offset, line) in lines.dropFirst(firstLine).prefix(visibleLines).enumerated() {
      draw(line.line, number: line.number, of: line.row, at: 1 + offset, in: &frame)
    }
    frame.put(words: Self.help, row: size.rows - 1, column: 0, style: Style(.brightBlack))
    return frame
  }

  private static let help = [
    "q quit", "↑↓ move", "Enter select", "n news", "v vote", "←→ option", "r banner", "S-↑↓ drag",
  ]

  private func draw(
    _ line: FeedNode.Line, number: Int, of shown: Row, at row: Int, in frame: inout Frame
  ) {
    let isUnderCursor = shown == cursor
    if number == 0 {
      switch shown {
      case .header(let id):
        frame.put(marks.gutter(of: id), row: row, column: 0, style: Style(.yellow, .bold))
      case .item(let id):
        frame.put(marks.gutter(of: id), row: row, column: 0, style: marks.style(of: id))
      }
      if isUnderCursor { frame.put(">", row: row, column: 2, style: Style(nil, .bold)) }
    } else if isUnderCursor, line.look == .bar, number == option + 1 {
      frame.put("*", row: row, column: 4, style: Style(nil, .bold))
    }
    var style = line.look.style
    if isUnderCursor && number == 0 { style.attributes.insert(.reverse) }
    frame.putCut(line.text, row: row, column: number == 0 ? 4 : 6, style: style)
  }
}
