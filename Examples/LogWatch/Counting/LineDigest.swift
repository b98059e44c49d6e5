/// The beginning of one of the last lines of the log.
struct RecentLine: Hashable, Sendable {
  var text: String
  var category: Category
}

/// The kinds of values that the dashboard ranks, each in its own panel.
enum Panel: String, CaseIterable, Sendable {
  case keys, clients, agents, referrers
}

/// The counts of a batch of lines, computed outside the dashboard, which then adds them in one step.
struct LineDigest: Sendable {
  /// The maximum number of recent lines that a digest keeps.
  static let recentLimit = 100
  private static let textLimit = 400

  private(set) var lines = 0
  private(set) var bytes = 0
  let isBacklog: Bool
  /// The number of lines that the filter excluded.
  private(set) var skipped = 0
  private(set) var formats: [LogFormat: Int] = [:]
  private(set) var categories: [Category: Int] = [:]
  private(set) var panels: [Panel: [(key: String, count: Int)]] = [:]
  private(set) var times: [(second: Int, count: Int)] = []
  private(set) var sizes = Distribution()
  private(set) var latencies = Distribution()
  /// The response sizes in bytes, each with the number of its key in `panels[.keys]`.
  private(set) var sizesOfKeys: [(key: UInt32, value: Int)] = []
  /// The response times in microseconds, each with the number of its key in `panels[.keys]`.
  private(set) var latenciesOfKeys: [(key: UInt32, value: Int)] = []
  private(set) var recent: [RecentLine] = []

  init(of batch: LineBatch, parser: LogParser, filter: LineFilter = .none) {
    isBacklog = batch.isBacklog
    let isUnfiltered = filter.isEmpty
    var counter = Counter()
    batch.bytes.withUnsafeBufferPointer { buffer in
      let isASCII = buffer.isASCII
      for line in batch.spans {
        let entry = counter.entry(of: line, in: batch, buffer, isASCII, parser)
        guard isUnfiltered || filter.includes(entry, buffer, line.range) else {
          skipped += 1
          continue
        }
        counter.count(entry, line, in: buffer)
      }
    }
    lines = batch.count - skipped
    bytes = isUnfiltered ? batch.size : counter.bytes
    take(counter, of: batch)
  }

  private mutating func take(_ counter: Counter, of batch: LineBatch) {
    for (format, count) in zip(LogFormat.allCases, counter.formats) where count > 0 {
      formats[format] = count
    }
    for (category, count) in zip(Category.allCases, counter.categories) where count > 0 {
      categories[category] = count
    }
    for (panel, counts) in zip(Panel.allCases, counter.panels) {
      panels[panel] = counts.counts(in: batch.bytes)
    }
    (times, sizes, latencies) = (counter.times, counter.sizes, counter.latencies)
    (sizesOfKeys, latenciesOfKeys) = (counter.sizesOfKeys, counter.latenciesOfKeys)
    recent = counter.recent.map { line, category in
      let kept = batch.bytes[line.range].prefix(Self.textLimit)
      let text = String(decoding: kept, as: UTF8.self)
      return RecentLine(
        text: line.isCut ? "(\(line.length) bytes) \(text)" : text, category: category)
    }
  }
}

/// The counts of a batch while it is read, in tables that refer to the bytes of the batch.
private struct Counter {
  var formats = [Int](repeating: 0, count: LogFormat.allCases.count)
  var categories = [Int](repeating: 0, count: Category.allCases.count)
  var panels = [ByteCounts](repeating: ByteCounts(), count: Panel.allCases.count)
  var times: [(second: Int, count: Int)] = []
  var sizes = Distribution()
  var latencies = Distribution()
  var sizesOfKeys: [(key: UInt32, value: Int)] = []
  var latenciesOfKeys: [(key: UInt32, value: Int)] = []
  var bytes = 0
  /// The lines that were counted last, in a ring buffer that begins at `oldest`.
  private var ring: [(line: LineBatch.Span, category: Category)] = []
  private var oldest = 0
  private var day = AccessLog.Day()

  var recent: [(line: LineBatch.Span, category: Category)] {
    Array(ring[oldest...] + ring[..<oldest])
  }

  mutating func entry(
    of line: LineBatch.Span, in batch: LineBatch, _ buffer: UnsafeBufferPointer<UInt8>,
    _ isASCII: Bool, _ parser: LogParser
  ) -> LogEntry {
    if line.isCut || !(isASCII || UnsafeBufferPointer(rebasing: buffer[line.range]).isUTF8) {
      return LogEntry(format: .malformed, category: .malformed, key: .made(""), time: nil)
    }
    return AccessLog.fastParse(buffer, line.range, &day) ?? parser.parse(batch.bytes[line.range])
  }

  mutating func count(
    _ entry: LogEntry, _ line: LineBatch.Span, in buffer: UnsafeBufferPointer<UInt8>
  ) {
    formats[entry.format.index] += 1
    categories[entry.category.index] += 1
    bytes += line.length + 1
    if entry.format != .malformed {
      let key = panels[0].add(entry.key, in: buffer)
      if let size = entry.size { sizesOfKeys.append((key, size)) }
      if let latency = entry.latency { latenciesOfKeys.append((key, latency)) }
    }
    if let client = entry.client { panels[1].add(client, in: buffer) }
    if let agent = entry.agent { panels[2].add(agent, in: buffer) }
    if let referrer = entry.referrer { panels[3].add(referrer, in: buffer) }
    if let size = entry.size { sizes.add(size) }
    if let latency = entry.latency { latencies.add(latency) }
    if let time = entry.time { count(time) }
    keep(line, entry.category)
  }

  private mutating func count(_ second: Int) {
    if let last = times.last, last.second == second {
      times[times.count - 1].count += 1
    } else {
      times.append((second, 1))
    }
  }

  private mutating func keep(_ line: LineBatch.Span, _ category: Category) {
    if ring.count < LineDigest.recentLimit { return ring.append((line, category)) }
    ring[oldest] = (line, category)
    oldest = (oldest + 1) % LineDigest.recentLimit
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
