import AsyncKnotTesting
import Testing

@testable import LogWatch

@Suite("LogWatch: lines")
struct LogWatchLineTests {
  private func split(_ text: String, limit: Int = 100) -> [String] {
    var splitter = LineSplitter(limit: limit)
    let batches = [splitter.split(Array(text.utf8)[...]), splitter.finish()]
    return batches.flatMap { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
  }

  @Test(
    "A line ends with a line feed, optionally after a carriage return, and the last line may have no line feed",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
      ("\n", [""]), ("\n\n", ["", ""]), ("\r\n", [""]), ("a\rb\n", ["a\rb"]), ("a\r", ["a"]),
      ("a\r\r\n", ["a\r"]),
    ] as [(String, [String])])
  func endings(_ text: String, _ lines: [String]) {
    #expect(split(text) == lines)
  }

  @Test("Chunks of any size are split into the lines of the whole file", arguments: 1...200)
  func chunks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = [0x0A, 0x0A, 0x0D, 0x61, 0x62, 0x63, 0xC3, 0xA9, 0xFF]
    let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
      alphabet.randomElement(using: &random) ?? 0
    }
    let limit = Int.random(in: 1...12, using: &random)
    var splitter = LineSplitter(limit: limit)
    var lines: [Line] = []
    var size = 0
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...20, using: &random)
      let batch = splitter.split(rest.prefix(count))
      lines += batch
      size += batch.size
      rest = rest.dropFirst(count)
    }
    let last = splitter.finish()
    lines += last
    #expect(size + last.size == bytes.count)
    let wanted = expected(bytes, limit: limit)
    #expect(lines.map { Array($0.bytes) } == wanted.map(\.kept))
    #expect(lines.map(\.length) == wanted.map(\.length))
  }

  /// Returns the lines of the whole file, computed directly from the rule.
  private func expected(_ bytes: [UInt8], limit: Int) -> [(kept: [UInt8], length: Int)] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      if line.count > limit { return (Array(line.prefix(limit)), line.count) }
      let text = line.last == 0x0D ? line.dropLast() : line
      return (Array(text), text.count)
    }
  }

  @Test("A line of 100 MB is one line, and a bounded part of it is kept")
  func hugeLine() {
    var splitter = LineSplitter()
    let chunk = [UInt8](repeating: 0x61, count: 1_000_000)[...]
    for _ in 0..<100 { #expect(splitter.split(chunk).isEmpty) }
    let batch = splitter.split([0x0A, 0x62, 0x0A])
    #expect(batch.map(\.length) == [100_000_000, 1])
    #expect(batch.first?.bytes.count == 65_536)
    #expect(batch.bytes.count < 70_000)
  }

  @Test("Every line is counted once: known, other, or malformed", arguments: 1...40)
  func nothingIsLost(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces =
      [
        "Oct 11 22:14:15 host su: hello\n", "word\n", "\n", "\u{FFFD}", "{}\n", "2025-06-24 ",
        #"h - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1"# + "\r\n",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3, 0x0A], [UInt8](repeating: 0x78, count: 90)]
    let bytes = (0..<300).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
    var splitter = LineSplitter(limit: 80)
    var tally = Tally()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...200, using: &random)
      tally.absorb(LineDigest(of: splitter.split(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    tally.absorb(LineDigest(of: splitter.finish()))

    let lines = expected(bytes, limit: 80)
    let malformed = lines.filter { line in
      line.length > line.kept.count || String(validating: line.kept, as: UTF8.self) == nil
    }
    #expect(tally.lines == lines.count)
    #expect(tally.formats.values.reduce(0, +) == lines.count)
    #expect(tally.categories.values.reduce(0, +) == lines.count)
    #expect(tally.formats[.malformed, default: 0] == malformed.count)
    #expect(tally.keys.total == lines.count - malformed.count)
    #expect(tally.bytes == bytes.count)
  }
}
