/// Parses the output of `ps`, on systems without `/proc`.
enum PsTable {
  /// The columns to request, without headings.
  ///
  /// The last column can contain spaces.
  static let columns = "pid=,uid=,rss=,time=,lstart=,comm="

  struct Row: Equatable {
    var id: ProcessID
    var user: UInt32
    /// The resident memory in bytes.
    var memory: Int
    /// The processor time in seconds.
    var processorTime: Double
    var command: String
    /// The last part of the command's path.
    var name: String
  }

  /// - Returns: The valid rows. Other lines are skipped.
  static func rows(_ bytes: [UInt8]) -> [Row] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap(row)
  }

  private static func row(_ line: ArraySlice<UInt8>) -> Row? {
    // The words are pid, uid, rss and time, five words for the start time, and the command.
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 9)
    guard words.count == 10 else { return nil }
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    guard
      let number = Int(counter: texts[0]), let user = UInt32(texts[1]),
      let kilobytes = Int(counter: texts[2]),
      let time = seconds(texts[3]), let start = start(texts[5...8])
    else { return nil }
    let path = words[9].split(separator: UInt8(ascii: "/")).last ?? words[9]
    return Row(
      id: ProcessID(number: number, start: start), user: user, memory: kilobytes * 1_024,
      processorTime: time, command: PlainText.of(words[9]), name: PlainText.of(path, limit: 64))
  }

  /// Converts `[[days-]hours:]minutes:seconds[.hundredths]` to seconds.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let clock = parts.last else { return nil }
    var days = 0.0
    if parts.count == 2 {
      guard let number = digits(parts[0]) else { return nil }
      days = number
    }
    let places = clock.split(separator: ":", omittingEmptySubsequences: false).map(digits)
    guard (2...3).contains(places.count) else { return nil }
    return places.reduce(Optional(0)) { sum, place in
      guard let sum, let place else { return nil }
      return sum * 60 + place
    }.map { $0 + days * 86_400 }
  }

  /// Parses a part of a time; `nil` unless it consists of digits and periods.
  private static func digits(_ text: Substring) -> Double? {
    text.allSatisfy { ("0"..."9").contains($0) || $0 == "." } && text.utf8.count <= 15
      ? Double(text) : nil
  }

  /// Returns a number that is greater for a later start time, such as `Nov 22 09:15:58 2026`.
  private static func start(_ words: ArraySlice<String>) -> Int? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = Array(words)
    guard
      let month = months.firstIndex(of: words[0]), let day = Int(words[1]),
      let time = seconds(words[2]), let year = Int(words[3]),
      (1...31).contains(day), (1...9_999).contains(year), time < 86_400
    else { return nil }
    return ((year * 12 + month) * 31 + day) * 86_400 + Int(time)
  }
}
