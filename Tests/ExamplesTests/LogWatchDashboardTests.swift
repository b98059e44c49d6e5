import AsyncKnotTesting
import AsyncKnot
import Testing

@testable import LogWatch
@testable import TerminalUI

@Suite("LogWatch: the dashboard")
struct LogWatchDashboardTests {
  private static let log = """
    10.0.0.1 - - [13/Jun/2024:10:00:00 +0200] "GET /a HTTP/1.1" 200 10
    10.0.0.1 - - [13/Jun/2024:10:00:30 +0200] "GET /a HTTP/1.1" 200 10
    10.0.0.2 - - [13/Jun/2024:10:01:00 +0200] "GET /größe HTTP/1.1" 404 10
    10.0.0.2 - - [13/Jun/2024:10:01:59 +0200] "GET /a HTTP/1.1" 503 10
    \u{1B}[31mred words

    """

  private func tally(_ text: String = log) -> Tally {
    var tally = Tally()
    tally.absorb(LineDigest(text))
    return tally
  }

  private func state(_ tally: Tally) -> Dashboard.State {
    var state = Dashboard.State()
    state.title = "app.log"
    state.tally = tally
    state.ranking.update(to: tally.keys.top(10))
    return state
  }

  @Test("A window of 60 × 22 characters shows the expected dashboard")
  func snapshot() {
    let frame = DashboardView(state(tally())).frame(size: Size(columns: 60, rows: 22))
    let rows = (0..<22).map { frame.text(row: $0) }
    #expect(rows == fixture("dashboard.txt"))
  }

  @Test(
    "A window of any size is drawn without a trap, as a frame of that size",
    arguments: 0...45)
  func sizes(columns: Int) {
    let state = state(tally())
    for rows in 0...30 {
      var live = state
      live.isLive = rows.isMultiple(of: 2)
      live.scroll = rows % 5
      live.rate.tick(lines: 5)
      let size = Size(columns: columns * 3, rows: rows)
      #expect(DashboardView(live).frame(size: size).size == size)
    }
  }

  @Test("At 80 columns, even a total of 2,048 GiB is not truncated")
  func totals() {
    let log = (0..<2).map { row in
      #"1.1.1.1 - - [1\#(row)/Jun/2024:10:00:00 +0200] "GET / HTTP/1.1" 200 1099511627000 "-" "-" 1.5"#
        + "\n"
    }
    let text = DashboardView(state(tally(log.joined())))
      .summary(columns: 80, top: 10, recent: 0).plainText
    #expect(
      text.contains(
        "sent   total 2048.0 GiB  p50 1024.0 GiB  p95 1024.0 GiB  p99 1024.0 GiB\n"))
    #expect(text.contains("took   p50 1.5 s  p95 1.5 s  p99 1.5 s  max 1.5 s\n"))
    #expect(text.contains("2024-06-10 10:00 to 2024-06-11 10:00, peak 1 in 18 min\n"))
    #expect(text.contains("took p50        p95        p99"))
  }

  @Test(
    "Each path has its own percentiles, even if its lines arrive in several batches",
    arguments: 1...20)
  func percentiles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var values: [String: [Int]] = [:]
    var tally = Tally()
    for _ in 0..<5 {
      var batch = ""
      for _ in 0..<200 {
        let path = "/p\(Int.random(in: 0..<20, using: &random))"
        let size = Int.random(in: 0..<16, using: &random)
        values[path, default: []].append(size)
        batch +=
          #"1.1.1.1 - - [13/Jun/2024:10:00:00 +0200] "GET \#(path) HTTP/1.1" 200 \#(size)"# + "\n"
      }
      tally.absorb(LineDigest(batch))
    }
    for (path, sizes) in values {
      let sorted = sizes.sorted()
      for share in [0.5, 0.95, 0.99] {
        let wanted = sorted[max(0, Int((Double(sizes.count) * share).rounded(.up)) - 1)]
        #expect(tally.sizesOfKeys[path]?.quantile(share) == wanted)
      }
    }
  }

  @Test("Without a terminal window, one line reports the lines that arrived")
  func lines() {
    var known = tally()
    #expect(Watch.news(in: known, since: Tally()) == "5 lines +5  2xx +2  4xx +1  5xx +1  other +1")
    let before = known
    #expect(Watch.news(in: known, since: before) == nil)
    known.absorb(LineDigest("x\n"))
    #expect(Watch.news(in: known, since: before) == "6 lines +1  other +1")
  }

  @Test("An empty log is reported as empty")
  func empty() {
    let text = DashboardView(state(Tally())).summary(columns: 40, top: 10, recent: 5).plainText
    #expect(text == " LogWatch  app.log         0 lines, 0 B\n no lines\n")
  }

  @Test("The JSON report is one line with every count")
  func json() {
    let text = JSONReport(tally: tally(), top: 2).text
    #expect(
      text == #"""
        {"lines":5,"bytes":289,"formats":{"common":4,"other":1},"categories":{"2xx":2,"4xx":1,"5xx":1,"other":1},"keys":[{"key":"/a","count":3,"excess":0,"sizes":{"count":3,"total":30,"median":10,"p95":10,"p99":10,"largest":10}},{"key":"\u001b[31mred","count":1,"excess":0}],"keysAreExact":true,"clients":[{"key":"10.0.0.1","count":2,"excess":0},{"key":"10.0.0.2","count":2,"excess":0}],"agents":[],"referrers":[],"sizes":{"count":4,"total":40,"median":10,"p95":10,"p99":10,"largest":10},"latencies":null,"from":"2024-06-13T10:00:00","to":"2024-06-13T10:01:59","secondsPerSpan":1,"spans":[{"from":"2024-06-13T10:00:00","lines":1},{"from":"2024-06-13T10:00:30","lines":1},{"from":"2024-06-13T10:01:00","lines":1},{"from":"2024-06-13T10:01:59","lines":1}]}

        """#)
    #expect(JSONReport(tally: tally("\u{1}\"\\ x\n"), top: 1).text.contains(#""key":"\u0001\"\\""#))
    #expect(JSONReport(tally: Tally(), top: 1).text.contains(#""from":null"#))
  }

  private static let combined =
    #"1.1.1.1 - - [13/Jun/2024:10:00:00 +0200] "GET /a HTTP/1.1" 200 7 "https://x.example/" "curl/8" 1.5"#
    + "\n"

  @Test("The JSON report has each value under its own name")
  func jsonNames() {
    let text = JSONReport(tally: tally(Self.combined), top: 2).text
    #expect(text.contains(#""agents":[{"key":"curl/8","count":1,"excess":0}]"#))
    #expect(text.contains(#""referrers":[{"key":"https://x.example/","count":1,"excess":0}]"#))
    #expect(text.contains(#""latencies":{"count":1,"total":1500000,"#))
  }

  @Test("If the log has response times, the percentiles of a path are response times")
  func timesOfPaths() {
    let percentiles = Percentiles(of: tally(Self.combined), for: .keys)
    #expect(percentiles?.texts(of: "/a") == ["1.5 s", "1.5 s", "1.5 s"])
  }

  @Test("Several logs that are piped into one state lose no lines")
  func pipes() async {
    let dashboard = Dashboard(Dashboard.State())
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          await AsyncStream { continuation in
            for _ in 0..<50 { continuation.yield(Self.log) }
            continuation.finish()
          }
          .map { LineDigest($0) }
          .pipe(to: dashboard) { digest, state in state.absorb(digest) }
        }
      }
    }
    #expect(dashboard.state.tally.lines == 8 * 50 * 5)
    #expect(dashboard.state.tally.keys.top(1).first?.count == 8 * 50 * 3)
  }

  @Test("Watching ends when the files end, and reports the files that could not be read")
  func watch() async throws {
    let dashboard = Dashboard(Dashboard.State())
    let watch = Watch(dashboard: dashboard, parser: LogParser(year: 2024))
    let errors = await watch.run(
      ["/nowhere/a.log", "/dev/null"], follows: false, until: AsyncStream { $0.finish() })
    #expect(errors == [.missing("/nowhere/a.log")])
    #expect(watch.bag.isEmpty)
  }

  @Test("Watching a followed file ends when it is interrupted")
  func interrupt() async throws {
    let watch = Watch(dashboard: Dashboard(Dashboard.State()), parser: LogParser(year: 2024))
    let (interrupts, continuation) = AsyncStream.makeStream(of: Void.self)
    continuation.yield()
    #expect(await watch.run(["/dev/null"], follows: true, until: interrupts) == [])
  }

  @Test(
    "Counts, sizes and durations are formatted with separators and units",
    arguments: [
      (0, "0", "0 B", "0 s"), (999, "999", "999 B", "17 min"), (1000, "1,000", "1000 B", "17 min"),
      (1024, "1,024", "1.0 KiB", "17 min"), (1_234_567, "1,234,567", "1.2 MiB", "14 days"),
      (5_000_000_000, "5,000,000,000", "4.7 GiB", "57870 days"), (-1500, "-1,500", nil, nil),
    ] as [(Int, String, String?, String?)])
  func figures(_ value: Int, _ grouped: String, _ bytes: String?, _ time: String?) {
    #expect(value.grouped == grouped)
    if let bytes { #expect(value.inBytes == bytes) }
    if let time { #expect(value.inTime == time) }
  }
}
