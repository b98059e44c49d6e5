/// The number of lines in each time span of the log, in bounded memory.
///
/// At first, a span is one second long. When there are more than `capacity` spans, each pair of neighbors is merged, so that all
/// spans become twice as long.
struct Timeline: Sendable {
  private let capacity: Int
  /// The exponent of the length of a span, which is 2 to the power of `scale` seconds.
  private var scale = 0
  private var spans: [Int: Int] = [:]

  init(capacity: Int = 4096) {
    precondition(
      capacity > 1, "Timeline(capacity:): needs room for at least 2 spans; got \(capacity)")
    self.capacity = capacity
  }

  /// The length of a span in seconds.
  var span: Int { 1 << scale }

  /// The range from the first counted second to the last.
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

  /// Returns the counts in at most `limit` columns of equal length that cover `window`, and the length of a column in seconds.
  ///
  /// Without a window, the columns cover the whole log.
  ///
  /// If a span overlaps several columns, its lines are distributed among the columns in proportion to the overlaps. Otherwise,
  /// columns whose length is not a multiple of a span would show a pattern that is not in the log.
  func columns(
    _ limit: Int, in window: ClosedRange<Int>? = nil
  ) -> (counts: [Double], seconds: Double) {
    guard let known = range, limit > 0 else { return ([], Double(span)) }
    let range = window ?? known
    let (first, end) = (range.lowerBound, range.upperBound + 1)
    let columns = min(limit, end - first)
    let seconds = Double(end - first) / Double(columns)
    var counts = Array(repeating: 0.0, count: columns)
    for (index, count) in spans {
      // The first span may begin before the log does, and the last span may end after it.
      let start = Double(max(index << scale, known.lowerBound) - first)
      let stop = Double(min((index + 1) << scale, known.upperBound + 1) - first)
      var left = max(start, 0)
      var column = Int(left / seconds)
      while left < stop, column < columns {
        let edge = min(stop, Double(column + 1) * seconds)
        counts[column] += Double(count) * (edge - left) / (stop - start)
        left = edge
        column += 1
      }
    }
    return (counts, seconds)
  }

  /// The spans that contain lines, from the oldest to the newest, each with its first second and its number of lines.
  var counts: [(second: Int, lines: Int)] {
    spans.sorted { $0.key < $1.key }.map {
      (max($0.key << scale, range?.lowerBound ?? 0), $0.value)
    }
  }
}
