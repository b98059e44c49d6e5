import Testing

@testable import LogWatch

@Suite("LogWatch: formats")
struct LogWatchParserTests {
  private func parse(_ line: String) -> LogEntry {
    LogParser(year: 2024).parse(Array(line.utf8)[...])
  }

  @Test(
    "A line tells its format, what it counts as, and its key",
    arguments: [
      (
        #"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326"#,
        .common, .success, "/apache_pb.gif"
      ),
      (
        #"::1 - - [10/Oct/2000:13:55:36 +0000] "GET /a?b=c HTTP/2" 304 - "-" "curl/8""#,
        .combined, .redirect, "/a"
      ),
      (
        #"h - two words [10/Oct/2000:13:55:36 +0000] "GET /q\"x HTTP/1.1" 503 0 "-" "a\"b""#,
        .combined, .serverError, #"/q\"x"#
      ),
      (
        #"10.0.0.1 - - [10/Oct/2000:13:55:36 +0000] "\x16\x03\x01" 400 157 "-" "-""#,
        .combined, .clientError, #"\x16\x03\x01"#
      ),
      (#"10.0.0.1 - - [10/Oct/2000:13:55:36 +0000] "-" 408 -"#, .common, .clientError, "-"),
      (
        "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8",
        .syslog, .critical, "su"
      ),
      ("Oct  1 22:14:15 host sshd[812]: Accepted publickey for mira", .syslog, .info, "sshd"),
      ("Oct 11 22:14:15 host kernel: WARNING: CPU: 1 PID: 4", .syslog, .warning, "kernel"),
      ("Oct 11 22:14:15 host sshd[812]: Failed password for root", .syslog, .error, "sshd"),
      (
        "<165>1 2003-10-11T22:14:15.003Z host.example.com evntslog - ID47 [x@1 a=\"b\"] An event",
        .syslog, .notice, "evntslog"
      ),
      (
        "2024-06-24T14:36:25.123456+02:00 host systemd[1]: Started cron.service - Daemon.",
        .syslog, .info, "systemd"
      ),
      ("2025-06-24 14:36:25 startup archives unpack", .dpkg, .startup, "archives"),
      (
        "2025-06-24 14:36:25 upgrade libsystemd0:amd64 252.36-1 252.38-1", .dpkg, .upgrade,
        "libsystemd0"
      ),
      ("2025-06-24 14:36:25 status half-installed libc-bin:amd64 2.36", .dpkg, .status, "libc-bin"),
      ("2025-06-24 14:36:25 purge vim:amd64 9 <none>", .dpkg, .remove, "vim"),
      (#"{"level":"warn","msg":"slow query","path":"/orders"}"#, .json, .warning, "/orders"),
      (#"{"level":50,"time":1718000000000,"msg":"a\n\u00e9"}"#, .json, .error, "a\né"),
      (#" {"level":"info"}"#, .other, .other, #"{"level":"info"}"#),
      (
        #"{ "status": 404, "nested": {"a":[1,"]}"]}, "logger": "web" }"#, .json, .clientError, "web"
      ),
      ("{}", .json, .info, "(object)"),
      (#"{"a":1"#, .other, .other, #"{"a":1"#),
      (#"{"a":1} trailing"#, .other, .other, #"{"a":1}"#),
      ("", .other, .other, "(blank)"), ("   ", .other, .other, "(blank)"),
      ("hello world", .other, .other, "hello"),
      ("2025-06-24 nonsense", .other, .other, "2025-06-24"),
      (
        #"1.2.3.4 - - [99/Foo/2000:13:55:36 +0000] "GET / HTTP/1.1" 200 1"#, .other, .other,
        "1.2.3.4"
      ),
      (
        #"1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.1" 999 1"#, .other, .other,
        "1.2.3.4"
      ),
      ("<999>Oct 11 22:14:15 host su: text", .other, .other, "<999>Oct"),
      ("Oct 11 22:14:15 host no tag", .other, .other, "Oct"),
    ] as [(String, LogFormat, Category, String)])
  func line(
    _ text: String, _ format: LogFormat, _ category: Category, _ key: String
  ) {
    let entry = parse(text)
    #expect(entry.format == format)
    #expect(entry.category == category)
    #expect(entry.key == key)
  }

  @Test(
    "The time is the one that is written",
    arguments: [
      (#"h - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1"#, "2000-10-10", "13:55:36"),
      ("Feb 29 00:00:01 host su: text", "2024-02-29", "00:00:01"),
      ("2024-12-31T23:59:59Z host su: text", "2024-12-31", "23:59:59"),
      ("2025-03-01 12:00:00 startup archives unpack", "2025-03-01", "12:00:00"),
      (#"{"ts":"1969-12-31T23:59:59.5Z"}"#, "1969-12-31", "23:59:59"),
      (#"{"time":"2024-06-13 10:11:12"}"#, "2024-06-13", "10:11:12"),
      (#"{"time":0}"#, "1970-01-01", "00:00:00"),
      (#"{"time":1718273472123}"#, "2024-06-13", "10:11:12"),
      (#"{"time":"0000-03-01T00:00:00Z"}"#, "0-03-01", "00:00:00"),
      (#"{"time":"9999-12-31T23:59:59Z"}"#, "9999-12-31", "23:59:59"),
    ])
  func time(_ line: String, _ date: String, _ clock: String) throws {
    let time = try #require(parse(line).time)
    #expect(LogTime.text(time) == (date, clock))
  }

  @Test(
    "A number that is no time gives none", arguments: ["1e300", "-5", "1e15", "null", "\"soon\""])
  func noTime(_ value: String) {
    #expect(parse(#"{"time":\#(value)}"#).time == nil)
  }

  @Test("Days are counted as the calendar has them, over four centuries")
  func calendar() {
    var day = ""
    var months: [Int: Int] = [:]
    var repeats = 0
    // From 1 March 1970, where an era of four centuries may begin as well as anywhere.
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

  @Test("Brackets nested a hundred thousand deep cost a loop, not the stack")
  func deepNesting() {
    let deep = String(repeating: "[", count: 100_000)
    let closed = #"{"a":"# + deep + String(repeating: "]", count: 100_000) + "}"
    #expect(parse(closed).format == .json)
    #expect(parse(#"{"a":"# + deep).format == .other)
  }

  @Test("A key keeps a bounded part of a long word")
  func longKey() {
    #expect(parse(String(repeating: "é", count: 5000)).key.utf8.count <= LogEntry.keyLimit + 2)
  }

  @Test("Lines spoiled anywhere never trap, and always count as something", arguments: 1...40)
  func fuzz(seed: UInt64) {
    let samples = [
      #"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "-" "x""#,
      "<165>1 2003-10-11T22:14:15.003Z host app - ID47 - text",
      "Oct 11 22:14:15 host su[1]: error", "2025-06-24 14:36:25 status installed libc:amd64 2",
      #"{"level":"warn","time":"2024-06-13T10:11:12Z","a":{"b":[1,2]},"msg":"\u00e9\"x"}"#,
    ].map { Array($0.utf8) }
    var random = SplitMix(seed: seed)
    for _ in 0..<300 {
      var line = samples.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) where !line.isEmpty {
        let index = line.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line.remove(at: index)
        case 1: line[index] = UInt8.random(in: 0...127, using: &random)
        case 2: line.removeSubrange(index...)
        default: line.insert(contentsOf: line[index...], at: index)
        }
      }
      let entry = LogParser(year: 2024).parse(line[...])
      #expect(!entry.key.isEmpty)
      #expect(entry.format != .malformed)
    }
  }
}
