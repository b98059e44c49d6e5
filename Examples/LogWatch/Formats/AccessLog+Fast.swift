#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension AccessLog {
  /// A cache of the previous line's day, because most lines have the same day as the line before.
  struct Day {
    fileprivate var bytes: (UInt64, UInt32) = (0, 0)
    fileprivate var start = 0
  }

  /// Parses common lines in a third of the time that `parse` needs.
  ///
  /// - Returns: The parsed line; `nil` if the line needs `parse`.
  static func fastParse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ day: inout Day
  ) -> LogEntry? {
    guard let base = bytes.baseAddress, range.count > 40 else { return nil }
    let end = range.upperBound
    func find(_ byte: UInt8, from start: Int) -> Int? {
      guard start < end, let found = memchr(base + start, Int32(byte), end - start) else {
        return nil
      }
      return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }
    // host ident user [10/Oct/2000:13:55:36 -0700] "
    let start = range.lowerBound
    guard base[start] != 0x20, base[start] != 0x09, let space = find(0x20, from: start),
      let bracket = find(UInt8(ascii: "["), from: space), bracket + 22 < end,
      let time = instant(base + bracket + 1, &day),
      let closing = find(UInt8(ascii: "]"), from: bracket + 21), closing + 3 < end,
      base[closing + 1] == 0x20, base[closing + 2] == UInt8(ascii: "\"")
    else { return nil }
    // GET /path?query HTTP/1.1" 200 123
    let request = closing + 3
    guard let quote = find(UInt8(ascii: "\""), from: request), quote + 6 < end,
      let method = find(0x20, from: request), method < quote, base[request] != 0x20,
      base[method + 1] > 0x20, method + 1 < quote, base[quote + 1] == 0x20,
      base[quote + 5] == 0x20
    else { return nil }
    var path = method + 1
    while path < quote, base[path] != 0x20, base[path] != UInt8(ascii: "?") {
      if base[path] == UInt8(ascii: "\\") || base[path] == 0x09 { return nil }
      path += 1
    }
    guard path > method + 1, memchr(base + request, 0x5C, quote - request) == nil,
      memchr(base + request, 0x09, method - request) == nil,
      memchr(base + start, 0x09, space - start) == nil,
      let (status, _) = number(base, quote + 2, quote + 5), let category = category(status)
    else { return nil }
    var size: Int?
    var next = quote + 6
    if base[next] == UInt8(ascii: "-") {
      next += 1
    } else {
      guard let (value, stop) = number(base, next, end) else { return nil }
      (size, next) = (value, stop)
    }
    var entry = LogEntry(
      format: .common, category: category, key: part(method + 1, path), time: time,
      client: part(start, space), size: size)
    if next == end { return entry }
    // "referrer" "agent"
    guard next + 2 < end, base[next] == 0x20, base[next + 1] == UInt8(ascii: "\""),
      let referrer = find(UInt8(ascii: "\""), from: next + 2), referrer + 3 < end,
      base[referrer + 1] == 0x20, base[referrer + 2] == UInt8(ascii: "\""),
      let agent = find(UInt8(ascii: "\""), from: referrer + 3), agent + 1 == end,
      memchr(base + next, 0x5C, agent - next) == nil
    else { return nil }
    entry.format = .combined
    entry.referrer = text(base, next + 2, referrer)
    entry.agent = text(base, referrer + 3, agent)
    return entry
  }

  private static func part(_ start: Int, _ end: Int) -> Text {
    .part(start..<min(end, start + LogEntry.keyLimit))
  }

  private static func text(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Text? {
    end == start || (end == start + 1 && base[start] == UInt8(ascii: "-")) ? nil : part(start, end)
  }

  private static func number(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int
  ) -> (value: Int, stop: Int)? {
    var value = 0
    var index = start
    while index < end, index < start + 15, (0x30...0x39).contains(base[index]) {
      value = value * 10 + Int(base[index] - 0x30)
      index += 1
    }
    return index == start || (index < end && base[index] != 0x20) ? nil : (value, index)
  }

  /// Parses a time such as `10/Oct/2000:13:55:36`.
  private static func instant(_ time: UnsafePointer<UInt8>, _ day: inout Day) -> Int? {
    let raw = UnsafeRawPointer(time)
    let date = (
      raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    )
    if date != day.bytes {
      let text = Array(UnsafeBufferPointer(start: time, count: 12)) + Array("00:00:00".utf8)
      guard let start = LogTime.access(text[...]) else { return nil }
      day = Day(bytes: date, start: start)
    }
    guard time[14] == UInt8(ascii: ":"), time[17] == UInt8(ascii: ":"),
      let hour = digits(time, 12), hour < 24, let minute = digits(time, 15), minute < 60,
      let second = digits(time, 18), second <= 60
    else { return nil }
    return day.start + hour * 3600 + minute * 60 + second
  }

  private static func digits(_ time: UnsafePointer<UInt8>, _ index: Int) -> Int? {
    let (tens, ones) = (time[index] &- 0x30, time[index + 1] &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}
