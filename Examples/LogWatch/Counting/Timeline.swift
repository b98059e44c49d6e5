/// How many lines fell into each span of the log's own time, in bounded memory.
///
/// Spans begin as seconds. Where there would be more than `capacity`, neighbours are joined and each
/// span is twice as long.
struct Timeline: Sendable {
  private let capacity: Int
  /// A span is 2 to the power of this many seconds.
  private var scale = 0
  private var spans: [Int: Int] = [:]

  init(capacity: Int = 512) {
    precondition(capacity > 1, "Timeline(capacity:): needs room for two spans; got \(capacity)")
    self.capacity = capacity
  }

  /// How many seconds a span has.
  var span: Int { 1 << scale }

  /// From the first second that was counted to the last.
  private(set) var range: ClosedRange<Int>?

  mutating func add(_ second: Int, _ count: Int = 1) {
    let known = range ?? second...second
    range = min(known.lowerBound, second)...max(known.upperBound, second)
    spans[second >> scale, default: 0] += count
    while spans.count > capacity {
      scale += 1
      spans = Dictionary(spans.lazy.map { ($0.key >> 1, $0.value) }, uniquingKeysWith: +)
    }
  }

  /// The counts in at most `limit` columns, from the first span to the last, and the seconds of a
  /// column.
  func columns(_ limit: Int) -> (counts: [Int], seconds: Int) {
    guard let first = spans.keys.min(), let last = spans.keys.max(), limit > 0 else {
      return ([], span)
    }
    let length = last - first + 1
    let columns = min(limit, length)
    var counts = Array(repeating: 0, count: columns)
    for (index, count) in spans { counts[(index - first) * columns / length] += count }
    return (counts, (length << scale) / columns)
  }
}
