/// Parses and formats the times in logs, as seconds since 1970 without regard to time zones.
enum LogTime {
  /// The end of the year 9999, the last year with four digits.
  static let end = 253_402_300_800.0

  /// Parses a time such as `2025-06-24T14:36:25.123+02:00`, with a `T` or a space, and skips the text between the seconds and the
  /// next space.
  static func iso(_ scanner: inout FieldScanner, separator: UInt8) -> Int? {
    guard let year = scanner.number(digits: 4), scanner.skip(UInt8(ascii: "-")),
      let month = scanner.number(digits: 2), scanner.skip(UInt8(ascii: "-")),
      let day = scanner.number(digits: 2), scanner.skip(separator),
      let seconds = clock(&scanner)
    else { return nil }
    while let byte = scanner.rest.first, byte != 0x20 { _ = scanner.skip(byte) }
    return instant(year, month, day, seconds)
  }

  /// Parses a time such as `10/Oct/2000:13:55:36 -0700`.
  static func access(_ bytes: ArraySlice<UInt8>) -> Int? {
    var scanner = FieldScanner(bytes)
    guard let day = scanner.number(digits: 2), scanner.skip(UInt8(ascii: "/")),
      let month = month(&scanner), scanner.skip(UInt8(ascii: "/")),
      let year = scanner.number(digits: 4), scanner.skip(UInt8(ascii: ":")),
      let seconds = clock(&scanner)
    else { return nil }
    return instant(year, month, day, seconds)
  }

  /// Parses a time such as `Oct 11 22:14:15`, which does not contain a year.
  static func traditional(_ scanner: inout FieldScanner, year: Int) -> Int? {
    guard let month = month(&scanner), scanner.skip(0x20) else { return nil }
    scanner.skipSpaces()
    guard let day = scanner.number(), scanner.skip(0x20), let seconds = clock(&scanner)
    else { return nil }
    return instant(year, month, day, seconds)
  }

  /// Formats an instant as a date and a time of day, such as `2025-06-24` and `14:36:25`.
  static func text(_ instant: Int) -> (date: String, clock: String) {
    let days = instant >= 0 ? instant / 86_400 : (instant - 86_399) / 86_400
    let seconds = instant - days * 86_400
    let (year, month, day) = date(days)
    return (
      "\(year)-\(padded(month))-\(padded(day))",
      "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    )
  }

  private static func padded(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }

  /// Scans a time of day and returns its instant on the given day.
  static func instant(_ scanner: inout FieldScanner, _ year: Int, _ month: Int, _ day: Int) -> Int?
  {
    clock(&scanner).flatMap { instant(year, month, day, $0) }
  }

  private static func clock(_ scanner: inout FieldScanner) -> Int? {
    guard let hour = scanner.number(digits: 2), hour < 24, scanner.skip(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2), minute < 60, scanner.skip(UInt8(ascii: ":")),
      let second = scanner.number(digits: 2), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static let months =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
    + ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let monthBytes = months.map { Array($0.utf8) }

  private static func month(_ scanner: inout FieldScanner) -> Int? {
    let name = scanner.rest.prefix(3)
    guard let index = monthBytes.firstIndex(where: { $0.elementsEqual(name) }) else { return nil }
    for byte in monthBytes[index] { _ = scanner.skip(byte) }
    return index + 1
  }

  static func instant(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int) -> Int? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return days(year, month, day) * 86_400 + seconds
  }

  /// Returns the number of days since 1970 in the Gregorian calendar.
  ///
  /// The years begin in March, so that the leap day is the last day of a year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let month = (month + 9) % 12
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day - 719_469
  }

  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    var year = days >= 0 ? 1970 + days / 366 : 1969 + days / 365
    while self.days(year + 1, 1, 1) <= days { year += 1 }
    var month = 1
    while month < 12, self.days(year, month + 1, 1) <= days { month += 1 }
    return (year, month, days - self.days(year, month, 1) + 1)
  }
}
