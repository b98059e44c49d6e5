/// One of the last lines, as much of it as a window shows.
struct RecentLine: Hashable, Sendable {
  var text: String
  var category: Category
}

/// What a batch of lines comes to: made away from the dashboard, absorbed by it in one step.
struct LineDigest: Sendable {
  /// How many of its last lines a digest keeps.
  static let recentLimit = 100
  private static let textLimit = 400

  let lines: Int
  let bytes: Int
  let isBacklog: Bool
  private(set) var formats: [LogFormat: Int] = [:]
  private(set) var categories: [Category: Int] = [:]
  private(set) var keys: [String: Int] = [:]
  private(set) var times: [(second: Int, count: Int)] = []
  private(set) var recent: [RecentLine] = []

  init(of batch: LineBatch, parser: LogParser) {
    lines = batch.count
    bytes = batch.size
    isBacklog = batch.isBacklog
    let isASCII = batch.bytes.isASCII
    let firstRecent = batch.count - Self.recentLimit
    for (index, line) in batch.enumerated() {
      let entry = Self.entry(of: line, isText: isASCII || line.bytes.isUTF8, parser)
      formats[entry.format, default: 0] += 1
      categories[entry.category, default: 0] += 1
      if entry.format != .malformed { keys[entry.key, default: 0] += 1 }
      if let time = entry.time { count(time) }
      if index >= firstRecent {
        recent.append(RecentLine(text: Self.text(of: line), category: entry.category))
      }
    }
  }

  private mutating func count(_ second: Int) {
    if let last = times.last, last.second == second {
      times[times.count - 1].count += 1
    } else {
      times.append((second, 1))
    }
  }

  private static func entry(of line: Line, isText: Bool, _ parser: LogParser) -> LogEntry {
    if isText && !line.isCut { return parser.parse(line.bytes) }
    return LogEntry(format: .malformed, category: .malformed, key: "", time: nil)
  }

  private static func text(of line: Line) -> String {
    let text = String(decoding: line.bytes.prefix(textLimit), as: UTF8.self)
    return line.isCut ? "(\(line.length) bytes) \(text)" : text
  }
}

extension Collection<UInt8> {
  fileprivate var isASCII: Bool {
    withContiguousStorageIfAvailable { bytes in
      bytes.reduce(0 as UInt8) { $0 | $1 } < 0x80
    } ?? allSatisfy { $0 < 0x80 }
  }

  fileprivate var isUTF8: Bool {
    isASCII || String(validating: self, as: UTF8.self) != nil
  }
}
