import TerminalUI

/// Draws a dashboard state into a frame.
///
/// The frame depends only on the state and the size, so a test can check it.
struct DashboardView {
  private let state: Dashboard.State

  init(_ state: Dashboard.State) {
    self.state = state
  }

  /// Returns the dashboard for a window.
  ///
  /// Parts at the bottom that do not fit are omitted.
  func frame(size: Size) -> Frame {
    var frame = Frame(size: size)
    let row = drawFigures(&frame)
    let hasHints = state.isLive && size.rows > 3
    // The last lines of the log get a third of the remaining rows, and any rows that the keys do not need.
    let end = size.rows - (hasHints ? 1 : 0)
    let room = max(0, end - row - 4)
    if state.showsHelp {
      drawHelp(&frame, from: row + 1)
      if hasHints { drawHints(&frame, row: size.rows - 1) }
      return frame
    }
    drawLists(&frame, from: row, keys: room - room / 3, lines: .max, end: end)
    if hasHints { drawHints(&frame, row: size.rows - 1) }
    return frame
  }

  /// Returns the summary that is printed at the end.
  func summary(columns: Int, top: Int, recent: Int) -> Frame {
    var state = state
    (state.isLive, state.isPaused, state.scroll) = (false, false, 0)
    let panels = state.tally.panels
    let rows = 16 + state.tally.categories.count + panels.count * (top + 2) + recent
    var frame = Frame(size: Size(columns: columns, rows: rows))
    var row = DashboardView(state).drawFigures(&frame)
    for panel in panels {
      state.panel = panel
      state.ranking = Ranking()
      let count = panel == .keys ? top : min(top, 5)
      state.ranking.update(to: state.tally[panel].top(count))
      row = DashboardView(state).drawKeys(&frame, from: row + 1, count: count)
    }
    DashboardView(state).drawRecent(&frame, from: row + 1, limit: recent, end: rows)
    return frame
  }

  private func drawHelp(_ frame: inout Frame, from start: Int) {
    drawHeading("Keys", caption: "any key closes this", in: &frame, row: start)
    for (row, (keys, meaning)) in Self.help.enumerated() {
      frame.put(keys, row: start + 1 + row, column: 3, style: Style(.cyan))
      frame.putCut(meaning, row: start + 1 + row, column: 20)
    }
  }

  private static let help: KeyValuePairs = [
    "↑ ↓ pages": "scroll the list",
    "tab": "show keys, clients, agents or referrers",
    "/": "filter: 5xx  error  10:00-11:30  from:2024-06-13  any text",
    "+ -": "zoom in and out of the time range",
    "← →": "go back and forward in time after you have zoomed in",
    "enter": "count only the lines in the shown time range",
    "0": "show the whole time range",
    "space": "pause; counting continues",
    "esc": "undo zoom, pause or filter",
    "^Z": "suspend",
    "q": "quit",
  ]

  private func drawFigures(_ frame: inout Frame) -> Int {
    var row = drawCategories(&frame, from: drawTitle(&frame) + 1)
    row = drawDistributions(&frame, from: row)
    return drawChart(&frame, from: row + 1)
  }

  private func drawLists(
    _ frame: inout Frame, from row: Int, keys: Int, lines: Int, end: Int
  ) {
    let row = drawKeys(&frame, from: row + 1, count: keys)
    drawRecent(&frame, from: row + 1, limit: lines, end: end)
  }

  private func drawTitle(_ frame: inout Frame) -> Int {
    let tally = state.tally
    let end = frame.size.columns - 1
    let lines = tally.lines.inLines
    let all = "\(lines), \(tally.bytes.inBytes)"
    let live = state.isLive ? ["\(all), \(state.rate.perSecond.grouped)/s"] : []
    let title = state.isPaused ? "(paused) \(state.title)" : state.title
    // If the window is narrow, the name of the log is cut first, and then the figures are shortened and removed.
    let start = frame.put("LogWatch", row: 0, column: 1, style: Style(.cyan, .bold)) + 2
    let wanted = min(DisplayWidth.of(title), 12)
    let figures =
      (live + [all, lines]).first { start + wanted + 2 + $0.count <= end }
      ?? (start + lines.count <= end ? lines : "")
    frame.putCut(
      title, row: 0, column: start, width: end - figures.count - start - 2, style: Style(nil, .bold)
    )
    frame.put(figures, row: 0, endingAt: end)
    let formats = LogFormat.allCases.compactMap { format in
      tally.formats[format].map { "\(format) \($0.grouped)" }
    }
    let text = formats.isEmpty ? "no lines" : formats.joined(separator: "   ")
    let filter = state.filter.isEmpty ? "" : "   only \(state.filter.source)"
    frame.putCut(text + filter, row: 1, column: 1, width: end - 1, style: Style(nil, .dim))
    return 2
  }

  private func drawHints(_ frame: inout Frame, row: Int) {
    if let typed = state.typed {
      let end = frame.putCut("/\(typed)▏", row: row, column: 1)
      let hint = state.message.isEmpty ? "5xx  10:00-11:30  text" : state.message
      let style = state.message.isEmpty ? Style(nil, .dim) : Style(.red)
      frame.putCut(hint, row: row, column: end + 2, style: style)
      return
    }
    let panels = state.tally.panels
    let next = panels[((panels.firstIndex(of: state.panel) ?? -1) + 1) % panels.count]
    let tab = panels.count > 1 ? ["tab \(next.title.lowercased())"] : []
    let space = state.isPaused ? "space resume" : "space pause"
    let words = ["q quit", "? keys", "/ filter", space] + tab + ["+ - zoom", "↑↓ scroll"]
    let enter = state.zoom == nil ? [] : ["enter count these"]
    frame.put(words: enter + words, row: row, column: 1, style: Style(nil, .dim))
  }

  /// Draws the distributions of response sizes and response times, if the log has them.
  private func drawDistributions(_ frame: inout Frame, from start: Int) -> Int {
    var row = start
    let (sizes, latencies) = (state.tally.sizes, state.tally.latencies)
    func draw(_ name: String, _ values: Distribution, _ text: (Int) -> String, _ figures: [String])
    {
      guard values.count > 0 else { return }
      let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]
      var words = figures
      words += shares.map { "\($0) \(text(values.quantile($1)))" } + ["max \(text(values.largest))"]
      frame.put(name, row: row, column: 1)
      frame.put(words: words, row: row, column: 8, style: Style(nil, .dim))
      row += 1
    }
    draw("sent", sizes, { $0.inBytes }, ["total \(sizes.total.inBytes)"])
    draw("took", latencies, { $0.inDuration }, [])
    return row
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
    // If the log has no times, the chart shows when its lines arrived.
    let isTimed = state.tally.timeline.range != nil
    guard isTimed || state.isLive else { return row - 1 }
    let (counts, caption) = isTimed ? history(width) : arrivals(width)
    guard !counts.isEmpty else { return row - 1 }
    drawHeading("Over time", caption: caption, in: &frame, row: row)
    let column = isTimed ? 1 : 1 + width - counts.count
    for (offset, line) in Chart.columns(counts.map { Int(($0 * 1000).rounded()) }, height: 3)
      .enumerated()
    {
      frame.put(line, row: row + 1 + offset, column: column, style: Style(.cyan))
    }
    return row + 4
  }

  /// Returns a chart of the lines that arrived in the last seconds.
  private func arrivals(_ width: Int) -> (counts: [Double], caption: String) {
    let counts = state.rate.seconds(width)
    let most = (counts.max() ?? 0).grouped
    return (counts.map(Double.init), "the last \(counts.count) s, peak \(most)/s")
  }

  /// Returns a chart of the lines by their times in the log.
  private func history(_ width: Int) -> (counts: [Double], caption: String) {
    guard let range = state.zoom ?? state.tally.timeline.range else { return ([], "") }
    let (counts, seconds) = state.tally.timeline.columns(width, in: range)
    let (first, last) = (LogTime.text(range.lowerBound), LogTime.text(range.upperBound))
    let isOneDay = first.date == last.date
    let span =
      isOneDay
      ? "\(first.date) \(first.clock) to \(last.clock)"
      : "\(first.date) \(first.clock.prefix(5)) to \(last.date) \(last.clock.prefix(5))"
    let most = Int((counts.max() ?? 0).rounded())
    return (counts, "\(span), peak \(most.grouped) in \(Int(seconds.rounded()).inTime)")
  }

  private func drawKeys(_ frame: inout Frame, from start: Int, count: Int) -> Int {
    guard count > 0, !state.ranking.rows.isEmpty else { return start - 1 }
    let keys = state.tally[state.panel]
    let distinct =
      keys.isExact ? "of \(keys.count.grouped)" : "of more than \(keys.capacity.grouped), estimated"
    drawHeading(state.panel.title, caption: distinct, in: &frame, row: start)
    let top = state.ranking.rows.first?.entry.count ?? 0
    let percentiles = Percentiles(of: state.tally, for: state.panel)
    let share = percentiles == nil ? 55 : 40
    let nameWidth = max(10, frame.size.columns * share / 100)
    let columns = percentiles?.columns(after: nameWidth + 9, before: frame.size.columns) ?? []
    for (column, title) in zip(columns, percentiles?.titles ?? []) {
      frame.put(title, row: start, endingAt: column, style: Style(nil, .dim))
    }
    let bars = (columns.last ?? nameWidth + 9) + 2
    var row = start + 1
    for (rank, item) in state.ranking.rows.enumerated().dropFirst(state.scroll).prefix(count) {
      frame.put("\(rank + 1)", row: row, endingAt: 4, style: Style(nil, .dim))
      frame.put(item.mark.symbol, row: row, column: 5, style: item.mark.style)
      let end = frame.putCut(item.entry.key, row: row, column: 7, width: nameWidth - 8)
      frame.put(item.entry.count.grouped, row: row, endingAt: max(end, nameWidth) + 9)
      for (column, text) in zip(columns, percentiles?.texts(of: item.entry.key) ?? []) {
        frame.put(text, row: row, endingAt: column)
      }
      let bar = Chart.bar(item.entry.count, of: top, width: frame.size.columns - bars - 1)
      frame.put(bar, row: row, column: bars, style: Style(.blue))
      row += 1
    }
    return row
  }

  private func drawRecent(_ frame: inout Frame, from row: Int, limit: Int, end: Int) {
    let room = min(end - row - 1, limit)
    guard room > 0, !state.tally.recent.isEmpty else { return }
    drawHeading("Last lines", caption: "", in: &frame, row: row)
    for (offset, line) in state.tally.recent.suffix(room).enumerated() {
      frame.putCut(
        line.text, row: row + 1 + offset, column: 1, width: frame.size.columns - 2,
        style: line.category.style)
    }
  }

  private func drawHeading(_ text: String, caption: String, in frame: inout Frame, row: Int) {
    let end = frame.put(text, row: row, column: 1, style: Style(nil, .bold))
    frame.putCut(
      caption, row: row, column: end + 2, width: frame.size.columns - end - 3,
      style: Style(nil, .dim))
  }
}
