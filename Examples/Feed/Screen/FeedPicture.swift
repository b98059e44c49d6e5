import AsyncDiff
import TerminalUI

/// What the screen shows, as a value: the rows, the cursor, the marks, and the part that is visible.
struct FeedPicture {
  typealias ID = AnyNodable.DiffIdentifier

  private(set) var snapshot = DiffableSnapshot<FeedSection>()
  private var nodes: [ID: FeedNode] = [:]
  private(set) var marks = ChangeMarks()
  /// The item under the cursor; `nil` only while there is none.
  private(set) var cursor: ID?
  /// Which option of a poll under the cursor gets the next vote.
  private(set) var option = 0
  private var firstLine = 0
  var size: Size { didSet { scroll() } }

  init(size: Size) {
    self.size = size
  }

  /// Where the cursor is.
  var cursorPath: ItemPath? { cursor.flatMap(snapshot.path(ofItem:)) }

  mutating func reload(
    _ snapshot: DiffableSnapshot<FeedSection>, nodes: [ItemPath: any CellNode]
  ) {
    self.snapshot = snapshot
    self.nodes = [:]
    marks = ChangeMarks()
    add(nodes)
    keepCursor(near: 0)
  }

  /// Carries one stage out: nodes stay with their items wherever these move.
  mutating func perform(_ batch: BatchUpdates<FeedSection>) {
    let row = paths.firstIndex { $0 == cursorPath } ?? 0
    marks.add(batch, before: snapshot)
    let gone =
      batch.itemDeletes.map { snapshot.item(at: $0) }
      + batch.sectionDeletes.flatMap { snapshot.items(in: $0) }
    for item in gone { nodes[item.diffIdentifier] = nil }
    snapshot = batch.snapshot
    add(batch.nodes)
    keepCursor(near: row)
  }

  mutating func clearMarks() {
    marks = ChangeMarks()
  }

  mutating func moveCursor(by rows: Int) {
    let paths = paths
    guard let row = paths.firstIndex(where: { $0 == cursorPath }) else { return }
    let target = min(max(0, row + rows), paths.count - 1)
    cursor = snapshot.item(at: paths[target]).diffIdentifier
    option = 0
    scroll()
  }

  mutating func moveOption(by options: Int) {
    guard let poll = cursorPath.flatMap(snapshot.itemIfPresent(at:))?.base as? Poll else { return }
    option = min(max(0, option + options), poll.options.count - 1)
  }

  private var paths: [ItemPath] {
    snapshot.sections.indices.flatMap { section in
      (0..<snapshot.numberOfItems(in: section)).map { ItemPath(section: section, item: $0) }
    }
  }

  private mutating func add(_ built: [ItemPath: any CellNode]) {
    for (path, node) in built {
      nodes[snapshot.item(at: path).diffIdentifier] = node as? FeedNode
    }
  }

  /// Keeps the cursor on its item; if that is gone, on the one now in its row.
  private mutating func keepCursor(near row: Int) {
    defer { scroll() }
    guard cursorPath == nil else { return }
    let paths = paths
    cursor =
      paths.isEmpty ? nil : snapshot.item(at: paths[min(row, paths.count - 1)]).diffIdentifier
    option = 0
  }
}

extension FeedPicture {
  /// The lines of all rows, with the item each belongs to.
  private var lines: [(id: ID, number: Int, line: FeedNode.Line)] {
    paths.flatMap { path in
      let id = snapshot.item(at: path).diffIdentifier
      return (nodes[id]?.lines ?? []).enumerated().map { (id, $0.offset, $0.element) }
    }
  }

  private var visibleLines: Int { max(0, size.rows - 2) }

  private mutating func scroll() {
    let lines = lines
    let mine = lines.indices.filter { lines[$0].id == cursor }
    guard let first = mine.first, let last = mine.last else { return }
    firstLine = max(min(firstLine, first), last - visibleLines + 1, 0)
    firstLine = max(0, min(firstLine, lines.count - visibleLines))
  }

  /// The screen: what happened last, the rows, and which keys there are.
  var frame: Frame {
    var frame = Frame(size: size)
    frame.put("Feed", row: 0, column: 0, style: Style(nil, .bold))
    frame.put(marks.summary, row: 0, column: 6, style: Style(.green))
    frame.put("\(snapshot.numberOfItems) rows", row: 0, endingAt: size.columns)
    for (offset, line) in lines.dropFirst(firstLine).prefix(visibleLines).enumerated() {
      draw(line.line, number: line.number, of: line.id, row: 1 + offset, in: &frame)
    }
    let help = "↑↓ move  ←→ option  Enter select  v vote  n news  r banner  q quit"
    frame.put(help, row: size.rows - 1, column: 0, style: Style(.brightBlack))
    return frame
  }

  private func draw(
    _ line: FeedNode.Line, number: Int, of id: ID, row: Int, in frame: inout Frame
  ) {
    let isUnderCursor = id == cursor
    if number == 0 {
      frame.put(marks.gutter(of: id), row: row, column: 0, style: marks.style(of: id))
      if isUnderCursor { frame.put(">", row: row, column: 2, style: Style(nil, .bold)) }
    } else if isUnderCursor, line.look == .bar, number == option + 1 {
      frame.put("*", row: row, column: 4, style: Style(nil, .bold))
    }
    var style = line.look.style
    if isUnderCursor && number == 0 { style.attributes.insert(.reverse) }
    frame.put(line.text, row: row, column: number == 0 ? 4 : 6, style: style)
  }
}
