import TerminalUI

/// Draws a dashboard state into a frame: a pure function, so a test reads what a window would show.
struct DashboardView {
  private let state: Dashboard.State

  init(_ state: Dashboard.State) {
    self.state = state
  }

  /// The whole dashboard in a window; what does not fit is left out from below.
  func frame(size: Size) -> Frame {
    var frame = Frame(size: size)
    let row = drawFigures(&frame)
    // The last lines get a third of what is left, and what the keys do not need.
    let room = max(0, size.rows - row - 4)
    drawLists(&frame, from: row, keys: room - room / 3, lines: .max)
    return frame
  }

  /// The dashboard as it is printed when there is nothing to watch any more.
  func summary(columns: Int, top: Int, recent: Int) -> Frame {
    var state = state
    state.isLive = false
    state.isPaused = false
    state.scroll = 0
    state.ranking = Ranking()
    state.ranking.update(to: state.tally.keys.top(top))
    let keys = state.ranking.rows.count
    let rows = 13 + state.tally.categories.count + keys + recent
    var frame = Frame(size: Size(columns: columns, rows: rows))
    let view = DashboardView(state)
    view.drawLists(&frame, from: view.drawFigures(&frame), keys: keys, lines: recent)
    return frame
  }

  private func drawFigures(_ frame: inout Frame) -> Int {
    let row = drawCategories(&frame, from: drawTitle(&frame) + 1)
    return drawChart(&frame, from: row + 1)
  }

  private func drawLists(_ frame: inout Frame, from row: Int, keys: Int, lines: Int) {
    let row = drawKeys(&frame, from: row + 1, count: keys)
    drawRecent(&frame, from: row + 1, limit: lines)
  }

  private func drawTitle(_ frame: inout Frame) -> Int {
    let tally = state.tally
    let end = frame.size.columns - 1
    var figures =
      "\(tally.lines.grouped) \(tally.lines == 1 ? "line" : "lines"), \(tally.bytes.inBytes)"
    if state.isLive { figures += ", \(state.rate.perSecond.grouped)/s" }
    frame.put("LogWatch", row: 0, column: 1, style: Style(.cyan, .bold))
    let room = end - DisplayWidth.of(figures) - 12
    let title = state.isPaused ? "(paused) \(state.title)" : state.title
    frame.put(title, row: 0, column: 11, width: room, style: Style(nil, .bold))
    frame.put(figures, row: 0, endingAt: end)
    let formats = LogFormat.allCases.compactMap { format in
      tally.formats[format].map { "\(format) \($0.grouped)" }
    }
    let text = formats.isEmpty ? "no lines" : formats.joined(separator: "   ")
    frame.put(text, row: 1, column: 1, style: Style(nil, .dim))
    return 2
  }

  private func drawCategories(_ frame: inout Frame, from start: Int) -> Int {
    let counts = Category.allCases.compactMap { category in
      state.tally.categories[category].map { (category, $0) }
    }
    let top = counts.map(\.1).max() ?? 0
    var row = start
    for (category, count) in counts {
      let style = category.style
      frame.put(category.rawValue, row: row, column: 1, style: style)
      frame.put(count.grouped, row: row, endingAt: 26)
      frame.put(
        count.percent(of: state.tally.lines), row: row, endingAt: 35, style: Style(nil, .dim))
      let bar = Chart.bar(count, of: top, width: frame.size.columns - 38)
      frame.put(bar, row: row, column: 37, style: style)
      row += 1
    }
    return row
  }

  private func drawChart(_ frame: inout Frame, from row: Int) -> Int {
    let width = max(0, frame.size.columns - 2)
    let (counts, caption) = state.isLive ? arrivals(width) : history(width)
    guard !counts.isEmpty else { return row - 1 }
    drawHeading("Lines over time", caption: caption, in: &frame, row: row)
    for (offset, line) in Chart.columns(counts, height: 3).enumerated() {
      let column = state.isLive ? 1 + width - counts.count : 1
      frame.put(line, row: row + 1 + offset, column: column, style: Style(.cyan))
    }
    return row + 4
  }

  /// What arrived in the last seconds.
  private func arrivals(_ width: Int) -> (counts: [Int], caption: String) {
    let counts = state.rate.seconds(width)
    return (counts, "the last \(counts.count) s, at most \((counts.max() ?? 0).grouped)/s")
  }

  /// What the times in the log say.
  private func history(_ width: Int) -> (counts: [Int], caption: String) {
    guard let range = state.tally.timeline.range else { return ([], "") }
    let (counts, seconds) = state.tally.timeline.columns(width)
    let (first, last) = (LogTime.text(range.lowerBound), LogTime.text(range.upperBound))
    let isOneDay = first.date == last.date
    let span =
      isOneDay ? "\(first.date) \(first.clock) to \(last.clock)" : "\(first.date) to \(last.date)"
    return (counts, "\(span), at most \((counts.max() ?? 0).grouped) in \(seconds.inTime)")
  }

  private func drawKeys(_ frame: inout Frame, from start: Int, count: Int) -> Int {
    guard count > 0, !state.ranking.rows.isEmpty else { return start - 1 }
    let keys = state.tally.keys
    let distinct =
      keys.isExact ? "of \(keys.count.grouped)" : "of more than \(keys.capacity.grouped), estimated"
    drawHeading("Busiest", caption: distinct, in: &frame, row: start)
    let top = state.ranking.rows.first?.entry.count ?? 0
    let nameWidth = max(10, frame.size.columns * 55 / 100)
    var row = start + 1
    for (rank, item) in state.ranking.rows.enumerated().dropFirst(state.scroll).prefix(count) {
      frame.put("\(rank + 1)", row: row, endingAt: 4, style: Style(nil, .dim))
      frame.put(item.mark.symbol, row: row, column: 5, style: item.mark.style)
      let end = frame.put(item.entry.key, row: row, column: 7, width: nameWidth - 8)
      frame.put(item.entry.count.grouped, row: row, endingAt: max(end, nameWidth) + 9)
      let bar = Chart.bar(item.entry.count, of: top, width: frame.size.columns - nameWidth - 12)
      frame.put(bar, row: row, column: nameWidth + 11, style: Style(.blue))
      row += 1
    }
    return row
  }

  private func drawRecent(_ frame: inout Frame, from row: Int, limit: Int) {
    let room = min(frame.size.rows - row - 1, limit)
    guard room > 0, !state.tally.recent.isEmpty else { return }
    drawHeading("Last lines", caption: "", in: &frame, row: row)
    for (offset, line) in state.tally.recent.suffix(room).enumerated() {
      frame.put(
        line.text, row: row + 1 + offset, column: 1, width: frame.size.columns - 2,
        style: line.category.style)
    }
  }

  private func drawHeading(_ text: String, caption: String, in frame: inout Frame, row: Int) {
    let end = frame.put(text, row: row, column: 1, style: Style(nil, .bold))
    frame.put(caption, row: row, column: end + 2, style: Style(nil, .dim))
  }
}
