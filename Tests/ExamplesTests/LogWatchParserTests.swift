import AsyncKnotTesting
import Testing

@testable import LogWatch

@Suite("LogWatch: formats")
struct LogWatchParserTests {
  private func parse(_ line: String) -> LogEntry {
    LogParser(year: 2024).parse(Array(line.utf8)[...])
  }

  private func key(_ line: String) -> String {
    parse(line).key.string(in: Array(line.utf8))
  }

  @Test(
    "Each line gets the right format, category and key",
    arguments: fixture("lines.tsv").map {
      $0.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
    })
  func line(_ fields: [Substring]) {
    let entry = parse(String(fields[3]))
    let key = entry.key.string(in: Array(fields[3].utf8)).replacing("\n", with: "⏎")
    #expect(["\(entry.format)", "\(entry.category)", key] == fields[..<3].map(String.init))
  }

  @Test(
    "An entry has the time that its line names",
    arguments: [
      (#"h - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1"#, "2000-10-10", "13:55:36"),
      ("Feb 29 00:00:01 host su: text", "2024-02-29", "00:00:01"),
      ("2024-12-31T23:59:59Z host su: text", "2024-12-31", "23:59:59"),
    ])
  func time(_ line: String, _ date: String, _ clock: String) throws {
    let time = try #require(parse(line).time)
    #expect(LogTime.text(time) == (date, clock))
  }

  @Test("Dates match the calendar for four centuries")
  func calendar() {
    var day = ""
    var months: [Int: Int] = [:]
    var repeats = 0
    // Any four centuries contain all combinations of dates and weekdays. These start on 1 March 1970.
    for index in 59..<59 + 146_097 {
      let next = LogTime.text(index * 86_400).date
      repeats += next == day ? 1 : 0
      day = next
      months[Int(next.split(separator: "-")[1]) ?? 0, default: 0] += 1
    }
    #expect(repeats == 0)
    #expect(day == "2370-02-28")
    #expect(months[2] == 400 * 28 + 97)
    #expect(months[12] == 400 * 31)
  }

  @Test("A key keeps a bounded part of a long word")
  func longKey() {
    #expect(key(String(repeating: "é", count: 5000)).utf8.count <= LogEntry.keyLimit + 2)
  }

  /// Returns a random line after some damage: bytes are removed, replaced, cut off or repeated.
  private static func spoilt(
    _ samples: [[UInt8]], _ times: ClosedRange<Int>, with others: [UInt8],
    _ random: inout SeededGenerator
  ) -> [UInt8] {
    var line = samples.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: times, using: &random) where !line.isEmpty {
      let index = line.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<5, using: &random) {
      case 0: line.remove(at: index)
      case 1: line[index] = others.randomElement(using: &random) ?? 0
      case 2: line.removeSubrange(index...)
      case 3: line.insert(line[index], at: index)
      default: line.insert(contentsOf: line[index...], at: index)
      }
    }
    return line
  }

  @Test(
    "A damaged line is parsed without a trap, and has a key and a format other than malformed",
    arguments: 1...40)
  func fuzz(seed: UInt64) {
    let samples = [
      #"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "-" "x""#,
      "<165>1 2003-10-11T22:14:15.003Z host app - ID47 - text",
      "Oct 11 22:14:15 host su[1]: error",
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let line = Self.spoilt(samples, 1...4, with: Array(0...127), &random)
      let entry = LogParser(year: 2024).parse(line[...])
      #expect(!entry.key.string(in: line).isEmpty)
      #expect(entry.format != .malformed)
    }
  }

  @Test("Clients, agents, referrers, bytes and latency are counted if the format has them")
  func fields() throws {
    let combined =
      #"192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/2" 200 512 "https://x.example/" "curl/8" 0.042"#
    let entry = parse(combined)
    let bytes = Array(combined.utf8)
    #expect(entry.client?.string(in: bytes) == "192.0.2.1")
    #expect(entry.agent?.string(in: bytes) == "curl/8")
    #expect(entry.referrer?.string(in: bytes) == "https://x.example/")
    #expect(entry.size == 512)
    #expect(entry.latency == 42_000)
    for (text, latency) in [
      ("0.001", 1000), ("12", 12), ("1.5", 1_500_000), ("x", nil), ("1.2.3", nil),
    ] as [(String, Int?)] {
      #expect(AccessLog.latency(Array(text.utf8)[...]) == latency)
    }
  }

  @Test("The fast parser of access logs agrees with the general one", arguments: 1...40)
  func fast(seed: UInt64) {
    let samples = [
      #"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b HTTP/1.0" 200 2326 "-" "x""#,
      #"1.2.3.4 - bob smith [10/Oct/2000:13:55:36 -0700] "POST /b HTTP/1.0" 304 -"#,
      #"::1 - - [28/Feb/2024:23:59:59 +0000] "GET /c HTTP/2" 500 9 "https://e.example" "a b""#,
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: seed)
    var taken = 0
    var day = AccessLog.Day()
    for _ in 0..<500 {
      let bytes: [UInt8] = [0x20, 0x09, 0x22, 0x5C, 0x3F, 0x31, 0x2D]
      let line = Self.spoilt(samples, 0...2, with: bytes, &random)
      let fast = line.withUnsafeBufferPointer { AccessLog.fastParse($0, line.indices, &day) }
      guard let fast else { continue }
      taken += 1
      #expect(fast == AccessLog.parse(line[...]))
    }
    #expect(taken > 100)
  }

  @Test(
    "A line must match all words of a filter, but only one of its categories",
    arguments: [
      ("", 4), ("4xx", 1), ("2xx 4xx", 3), ("CURL", 1), ("/a curl", 1), ("/a 5xx", 1),
      ("10:00-10:30", 2),
      ("23:00-10:00", 2), ("from:2024-06-14", 1), ("to:2024-06-13T10:15", 1), ("nothing", 0),
    ])
  func filter(_ words: String, _ count: Int) throws {
    let log = """
      1.1.1.1 - - [13/Jun/2024:10:00:00 +0200] "GET /a HTTP/1.1" 200 10 "-" "curl/8"
      1.1.1.1 - - [13/Jun/2024:10:30:59 +0200] "GET /b HTTP/1.1" 404 10 "-" "x"
      1.1.1.1 - - [13/Jun/2024:12:00:00 +0200] "GET /a HTTP/1.1" 503 10 "-" "x"
      1.1.1.1 - - [14/Jun/2024:01:00:00 +0200] "GET /c HTTP/1.1" 200 10 "-" "x"

      """
    let digest = LineDigest(log, filter: try LineFilter(words))
    #expect(digest.lines == count)
    #expect(digest.skipped == 4 - count)
    #expect(digest.recent.count == count)
  }

  @Test("A filtered digest has the bytes of the lines that pass, including their line endings")
  func filteredBytes() throws {
    let digest = LineDigest("one\nerror two\nthree\n", filter: try LineFilter("two"))
    #expect(digest.lines == 1)
    #expect(digest.bytes == "error two\n".utf8.count)
  }

  @Test("A response time with more than six decimal places is rounded down to microseconds")
  func preciseLatency() {
    #expect(AccessLog.latency(Array("0.123456789".utf8)[...]) == 123_456)
    #expect(AccessLog.latency(Array("2.0000019".utf8)[...]) == 2_000_001)
  }

  @Test(
    "An invalid time is reported",
    arguments: [
      "from:x", "to:2024", "from:2024-06-13T25:00", "from:2024-06-x-13", "from:2024-06-13-",
      "to:2024-02-31", "from:",
    ])
  func badFilter(_ words: String) {
    #expect(throws: LineFilter.Misuse.self) { try LineFilter(words) }
  }
}
