import AsyncKnot
import Testing

@testable import LogWatch
@testable import TerminalUI

@Suite("LogWatch: the keys and the texts of the dashboard")
struct LogWatchKeysTests {
  private static let log = (0..<30).map { row in
    #"192.0.2.\#(row) - - [13/Jun/2024:10:00:00 +0200] "GET /p\#(row) HTTP/1.1" 200 10 "-" "a""#
      + "\n"
  }.joined()

  private func state() -> Dashboard.State {
    var state = Dashboard.State()
    state.isLive = true
    state.absorb(LineDigest(Self.log))
    state.rank(200)
    return state
  }

  private func text(_ state: Dashboard.State, columns: Int = 60, rows: Int = 20) -> [String] {
    let frame = DashboardView(state).frame(size: Size(columns: columns, rows: rows))
    return (0..<rows).map { frame.text(row: $0) }
  }

  @Test("Arrow, page, home and end keys scroll and stop at both ends")
  func scrolling() {
    var state = state()
    let keys: [(Key, Int)] = [
      (.up, 0), (.down, 1), (.down, 2), (.up, 1), (.pageDown, 11), (.end, 29), (.down, 29),
      (.pageUp, 19), (.home, 0),
    ]
    for (key, row) in keys {
      #expect(state.press(key) == nil)
      #expect(state.scroll == row)
    }
  }

  @Test("Tab cycles through the panels of the format")
  func panels() {
    var state = state()
    let seen = (0..<4).map { _ in
      _ = state.press(.tab)
      return state.panel
    }
    #expect(seen == [.clients, .agents, .keys, .clients])
    state.rank(200)
    #expect(state.ranking.rows.count == 30)
    #expect(state.ranking.rows.allSatisfy { $0.mark == .stayed })
    #expect(text(state).contains { $0.hasPrefix(" Clients  of 30") })
  }

  @Test("A slash starts a filter, Enter applies it, and Escape discards it")
  func filtering() throws {
    var state = state()
    #expect(state.press(.character("/")) == nil)
    for character in "5xq" { #expect(state.press(.character(character)) == nil) }
    #expect(text(state).last == " /5xq▏  5xx  10:00-11:30  text")
    _ = state.press(.backspace)
    _ = state.press(.character("x"))
    #expect(state.press(.enter) == .filter(try LineFilter("5xx")))
    #expect(state.typed == nil)
    _ = state.press(.character("/"))
    for character in "from:x" { _ = state.press(.character(character)) }
    #expect(state.press(.enter) == nil)
    let problem = "needs a time such as 2024-06-13T10:00, or a date; got x"
    #expect(text(state, columns: 90).last?.contains(problem) == true)
    #expect(state.press(.escape) == nil)
    #expect(state.typed == nil)
    state.restart(try LineFilter("5xx"))
    #expect(state.tally.lines == 0)
    #expect(text(state)[1] == " no lines   only 5xx")
    #expect(state.press(.escape) == .filter(.none))
    state.restart(.none)
    #expect(state.press(.escape) == nil, "Escape only discards a filter; it never quits")
  }

  @Test("? explains every key, and the next key closes the help")
  func help() {
    var state = state()
    #expect(text(state).last?.contains("? keys") == true)
    #expect(state.press(.character("?")) == nil)
    let shown = text(state, columns: 80, rows: 30)
    for key in ["tab", "/", "+ -", "← →", "space", "esc", "^Z", "q"] {
      #expect(shown.contains { $0.hasPrefix("   \(key) ") }, "\(key)")
    }
    #expect(!shown.contains { $0.contains("Last lines") })
    #expect(state.press(.down) == nil)
    #expect(!state.showsHelp && state.scroll == 0)
    _ = state.press(.character("?"))
    #expect(state.press(.character("q")) == nil && !state.showsHelp)
  }

  @Test("+ and - zoom the time range, the arrows move it, and Enter counts only the lines in it")
  func zoom() throws {
    let lines = (0..<60).map { minute in
      #"192.0.2.1 - - [13/Jun/2024:10:\#(minute < 10 ? "0" : "")\#(minute):00 +0200] "GET / HTTP/1.1" 200 1"#
        + "\n"
    }.joined()
    var state = Dashboard.State()
    (state.isLive, state.filter) = (true, try LineFilter("GET from:2024-06-13"))
    state.absorb(LineDigest(lines))
    let all = try #require(state.tally.timeline.range)
    _ = state.press(.character("+"))
    _ = state.press(.character("+"))
    let zoom = try #require(state.zoom)
    #expect((884...887).contains(zoom.count) && zoom.lowerBound - all.lowerBound > 1_200)
    for _ in 0..<20 { _ = state.press(.left) }
    #expect(state.zoom?.lowerBound == all.lowerBound)
    for _ in 0..<20 { _ = state.press(.right) }
    #expect(state.zoom?.upperBound == all.upperBound)
    #expect(text(state, columns: 80).contains { $0.contains("10:44:1") && $0.contains("10:59:00") })
    guard case .filter(let filter) = state.press(.enter) else {
      Issue.record("Enter must ask for a filter")
      return
    }
    #expect(filter == (try LineFilter(filter.source)))
    #expect(filter.source.hasPrefix("GET from:2024-06-13T10:44:1"))
    #expect(LineDigest(lines, filter: filter).lines == 15)
    for _ in 0..<2 { _ = state.press(.character("-")) }
    #expect(state.zoom == nil)
    _ = state.press(.character("+"))
    _ = state.press(.escape)
    #expect(state.zoom == nil)
  }

  @Test("While a filter is typed, Control keys still quit and suspend, but q is a letter")
  func ending() {
    var state = state()
    #expect(state.press(.character("q")) == .quit)
    #expect(state.press(.control("z")) == .suspend)
    _ = state.press(.character("/"))
    #expect(state.press(.character("q")) == nil)
    #expect(state.press(.control("z")) == .suspend)
    #expect(state.press(.control("c")) == .quit)
  }

  @Test("A paused screen shows the counts from the start of the pause, and still scrolls")
  func pause() {
    var now = state()
    _ = now.press(.character(" "))
    let frozen = now
    now.absorb(LineDigest(Self.log))
    _ = now.press(.down)
    let shown = frozen.asLookedAt(in: now, top: 200)
    #expect(shown.tally.lines == 30)
    #expect(shown.scroll == 1)
    #expect(now.tally.lines == 60)
    _ = now.press(.tab)
    let clients = frozen.asLookedAt(in: now, top: 200)
    #expect(clients.ranking.rows.first?.entry.count == 1)
    #expect(text(clients)[0].contains("(paused)"))
  }

  /// A log of an hour, with one line each minute.
  private static let hour = (0..<60).map { minute in
    #"192.0.2.1 - - [13/Jun/2024:10:\#(minute < 10 ? "0" : "")\#(minute):00 +0200] "GET /\#(minute) HTTP/1.1" 200 1"#
      + "\n"
  }.joined()

  @Test("A paused screen can be zoomed")
  func zoomInPause() {
    var now = Dashboard.State()
    now.absorb(LineDigest(Self.hour))
    _ = now.press(.character(" "))
    let frozen = now
    _ = now.press(.character("+"))
    #expect(now.zoom != nil)
    #expect(frozen.asLookedAt(in: now, top: 10).zoom == now.zoom)
  }

  @Test("A new filter shows the whole time range, from the first row")
  func restartedView() throws {
    var state = Dashboard.State()
    state.absorb(LineDigest(Self.hour))
    state.rank(200)
    for key in [Key.down, .character("+")] { _ = state.press(key) }
    #expect(state.zoom != nil && state.scroll == 1)
    state.restart(try LineFilter("GET"))
    #expect(state.zoom == nil)
    #expect(state.scroll == 0)
  }

  /// Watches samples, calls `use` after their log has been read, and returns the errors.
  private static func watching(
    _ samples: [String], _ use: (Dashboard, Watch) async throws -> Void
  ) async throws -> [SourceError] {
    let dashboard = Dashboard(Dashboard.State())
    let watch = Watch(dashboard: dashboard, parser: LogParser(year: 2024))
    let (interrupts, continuation) = AsyncStream.makeStream(of: Void.self)
    let root = #filePath.dropLast("Tests/ExamplesTests/LogWatchKeysTests.swift".count)
    async let errors = watch.run(
      samples.map { "\(root)Examples/LogWatch/Samples\($0)" }, follows: true, until: interrupts)
    for await state in dashboard.states where state.tally.lines == 2000 { break }
    try await use(dashboard, watch)
    continuation.yield()
    return await errors
  }

  @Test("A log that cannot be read is reported once, even if reading has restarted")
  func restartedErrors() async throws {
    let errors = try await Self.watching(["", "/access.log"]) { dashboard, watch in
      for (filter, lines) in [("5xx", 17), ("", 2000), ("5xx", 17)] {
        watch.restart(try LineFilter(filter))
        for await state in dashboard.states where state.tally.lines == lines { break }
      }
    }
    #expect(errors.count <= 1)
  }

  @Test("The parts of a header never overlap, even in a narrow window", arguments: 0..<90)
  func narrow(columns: Int) {
    var state = state()
    state.title = "a-rather-long-name.log"
    let title = text(state, columns: columns)[0]
    let whole = text(state, columns: 200)[0].split(separator: "  ").map(String.init)
    for part in title.split(separator: " ", omittingEmptySubsequences: true) where part.count > 3 {
      let isWhole = whole.contains { $0.contains(part.hasSuffix("…") ? part.dropLast() : part) }
      #expect(isWhole || part.hasPrefix("Log"))
    }
    let hint = text(state, columns: columns).last ?? ""
    #expect(columns < 7 || hint.hasPrefix(" q quit"))
  }

  @Test("A new filter counts the lines again from the beginning of the log")
  func restart() async throws {
    let errors = try await Self.watching(["/access.log"]) { dashboard, watch in
      watch.restart(try LineFilter("5xx"))
      for await state in dashboard.states where state.tally.lines == 17 { break }
      #expect(dashboard.state.tally.categories == [.serverError: 17])
      watch.restart(.none)
      for await state in dashboard.states where state.tally.lines == 2000 { break }
    }
    #expect(errors == [])
  }

  @Test(
    "A byte order mark is not part of the first line, even if the mark is split", arguments: 1...5)
  func byteOrderMark(chunk: Int) {
    for text in ["\u{FEFF}first\nsecond\n", "plain\n", "\u{FEFE}x\n", "\u{FEFF}"] {
      var splitter = LineSplitter()
      var lines: [[UInt8]] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        lines += splitter.split(rest.prefix(chunk)).map { Array($0.bytes) }
        rest = rest.dropFirst(chunk)
      }
      lines += splitter.finish().map { Array($0.bytes) }
      let expected = text.replacing("\u{FEFF}", with: "").split(separator: "\n")
      #expect(lines == expected.map { Array($0.utf8) })
    }
  }

  @Test("Truncated text ends in an ellipsis, even at a wide character")
  func ellipsis() {
    var frame = Frame(size: Size(columns: 10, rows: 3))
    frame.putCut("abcdefghijkl", row: 0, column: 2)
    frame.putCut("漢字漢字漢字", row: 1, column: 0, width: 6)
    frame.putCut("fits", row: 2, column: 6)
    #expect((0..<3).map { frame.text(row: $0) } == ["  abcdefg…", "漢字…", "      fits"])
  }
}
