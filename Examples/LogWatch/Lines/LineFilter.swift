/// A filter that decides which lines count.
///
/// A filter consists of words: status classes or levels, such as `5xx` and `error`, times of day, such as `10:00-11:30`, limits,
/// such as `from:2024-06-13` and `to:2024-06-13T12:00`, and texts, which are all other words.
///
/// A line passes if it contains all texts, in upper or lower case, and is within all limits. If the filter has classes or levels,
/// the line must match one of them. If the filter has times of day, the line must match one of them.
struct LineFilter: Hashable, Sendable {
  /// The error for a limit without a valid time, such as `from:noon`.
  struct Misuse: Error, Hashable {
    var message: String
  }

  /// The text that the user typed.
  private(set) var source = ""
  private var texts: [[UInt8]] = []
  private var categories: Set<Category> = []
  private var times: [ClosedRange<Int>] = []
  private var from = Int.min
  private var to = Int.max

  /// The filter that accepts every line.
  static let none = LineFilter()

  private init() {}

  init(_ source: String) throws(Misuse) {
    self.source = source
    for word in source.split(separator: " ") {
      if let category = Category(rawValue: word.lowercased()) {
        categories.insert(category)
      } else if word.hasPrefix("from:") {
        from = try Self.instant(word.dropFirst(5), isEnd: false)
      } else if word.hasPrefix("to:") {
        to = try Self.instant(word.dropFirst(3), isEnd: true)
      } else if let range = Self.timeOfDay(word) {
        times.append(range)
      } else {
        texts.append(word.utf8.map(Self.lowercased))
      }
    }
  }

  /// Returns this filter, limited to a time range.
  func limited(to time: ClosedRange<Int>) -> LineFilter {
    func text(_ instant: Int) -> String {
      let (date, clock) = LogTime.text(instant)
      return "\(date)T\(clock)"
    }
    let others = source.split(separator: " ")
      .filter { !$0.hasPrefix("from:") && !$0.hasPrefix("to:") }.map(String.init)
    var limited = self
    limited.source = (others + ["from:\(text(time.lowerBound))", "to:\(text(time.upperBound))"])
      .joined(separator: " ")
    (limited.from, limited.to) = (time.lowerBound, time.upperBound)
    return limited
  }

  var isEmpty: Bool { self == .none || source.allSatisfy { $0 == " " } }

  /// Returns whether a line passes the filter.
  func includes(_ entry: LogEntry, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool
  {
    if !categories.isEmpty, !categories.contains(entry.category) { return false }
    if from != .min || to != .max || !times.isEmpty {
      guard let time = entry.time, time >= from, time <= to else { return false }
      let second = (time % 86_400 + 86_400) % 86_400
      guard times.isEmpty || times.contains(where: { Self.holds($0, second) }) else { return false }
    }
    return texts.allSatisfy { Self.contains($0, bytes, range) }
  }

  /// Returns whether a range contains a second of the day.
  ///
  /// A range that crosses midnight has an end beyond 24:00.
  private static func holds(_ range: ClosedRange<Int>, _ second: Int) -> Bool {
    range.contains(second) || range.contains(second + 86_400)
  }

  private static func contains(
    _ text: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard let first = text.first, range.count >= text.count else { return text.isEmpty }
    for start in range.lowerBound...range.upperBound - text.count
    where lowercased(bytes[start]) == first {
      if text.indices.allSatisfy({ lowercased(bytes[start + $0]) == text[$0] }) { return true }
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Parses a range such as `10:00-11:30`, with or without seconds.
  ///
  /// Without seconds, it ends with the last second of its minute.
  private static func timeOfDay(_ word: Substring) -> ClosedRange<Int>? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = clock(parts[0], isEnd: false),
      let end = clock(parts[1], isEnd: true)
    else { return nil }
    return start <= end ? start...end : start...end + 86_400
  }

  private static func clock(_ text: Substring, isEnd: Bool) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count == 2 ? Int($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers[1] < 60, numbers.count == 2 || numbers[2] < 60
    else { return nil }
    let second = numbers.count == 3 ? numbers[2] : isEnd ? 59 : 0
    return numbers[0] * 3600 + numbers[1] * 60 + second
  }

  /// Parses a limit such as `2024-06-13` or `2024-06-13T10:00`.
  private static func instant(_ text: Substring, isEnd: Bool) throws(Misuse) -> Int {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    let date = numbers(parts[0])
    guard date.count == 3, parts.count <= 2, let year = date[0], let month = date[1],
      let day = date[2],
      let clock = parts.count == 2 ? clock(parts[1], isEnd: isEnd) : isEnd ? 86_399 : 0,
      let instant = LogTime.instant(year, month, day, clock),
      // `LogTime` also accepts the 31st day of a shorter month.
      numbers(LogTime.text(instant).date[...]) == date
    else { throw Misuse(message: "needs a time such as 2024-06-13T10:00, or a date; got \(text)") }
    return instant
  }

  private static func numbers(_ date: Substring) -> [Int?] {
    date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
  }
}
