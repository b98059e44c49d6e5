/// Parses the contents of files in `/proc`.
enum ProcFiles {
  /// The values of `/proc/PID/stat`.
  struct Stat: Equatable {
    var name: String
    /// The processor time in clock ticks.
    var processorTicks: Int
    var startTicks: Int
    /// The number of resident pages.
    var pages: Int
  }

  /// - Returns: The values; `nil` for invalid contents. The name is between the first and the last parenthesis, and can contain
  ///   parentheses and spaces.
  static func stat(_ bytes: [UInt8]) -> Stat? {
    guard
      let open = bytes.firstIndex(of: UInt8(ascii: "(")),
      let close = bytes.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = bytes[(close + 1)...].split(whereSeparator: isBlank)
    // In proc(5), fields are counted from 1. The first field here is number 3.
    func field(_ number: Int) -> Int? {
      fields.indices.contains(number - 3) ? Int(counter: fields[number - 3]) : nil
    }
    guard let user = field(14), let system = field(15), let start = field(22), let pages = field(24)
    else { return nil }
    return Stat(
      name: PlainText.of(bytes[(open + 1)..<close], limit: 64), processorTicks: user + system,
      startTicks: start, pages: pages)
  }

  /// Returns the arguments in `/proc/PID/cmdline`, separated by spaces instead of zeros.
  static func commandLine(_ bytes: [UInt8]) -> String {
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[end - 1] == 0 { end -= 1 }
    return PlainText.of(bytes[..<end].lazy.map { $0 == 0 ? UInt8(ascii: " ") : $0 })
  }

  /// Returns the used and the total memory in bytes, from the contents of `/proc/meminfo`.
  static func memory(_ bytes: [UInt8]) -> (used: Int, total: Int)? {
    var values: [String: Int] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(whereSeparator: isBlank)
      guard words.count >= 2 else { continue }
      values[String(decoding: words[0], as: UTF8.self)] = Int(counter: words[1])
    }
    guard let total = values["MemTotal:"], let free = values["MemAvailable:"] ?? values["MemFree:"]
    else { return nil }
    return ((total - free) * 1_024, total * 1_024)
  }

  /// Returns the busy ticks of all processors, and the number of processors, from `/proc/stat`.
  static func processors(_ bytes: [UInt8]) -> (busyTicks: Int, cores: Int)? {
    var busy: Int?
    var cores = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(whereSeparator: isBlank)
      guard let name = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
      guard name.hasPrefix("cpu") else { break }
      guard name == "cpu" else {
        cores += 1
        continue
      }
      let ticks = words.dropFirst().compactMap { Int(counter: $0) }
      // The values are user, nice, system, idle, iowait, irq, softirq and steal. The values after them, the time of guests, are
      // already part of user and nice.
      busy = ticks.prefix(8).reduce(0, +) - ticks.dropFirst(3).prefix(2).reduce(0, +)
    }
    return busy.map { ($0, max(cores, 1)) }
  }

  /// Returns the load average of the last minute from `/proc/loadavg`.
  static func load(_ bytes: [UInt8]) -> Double? {
    bytes.split(whereSeparator: isBlank).first.flatMap {
      Double(String(decoding: $0, as: UTF8.self))
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }
}

extension Int {
  /// The valid range of a counter, whose product with a page size does not overflow.
  private static let counters = 0..<1 << 46

  init?(counter text: String) {
    guard let number = Int(text), Self.counters.contains(number) else { return nil }
    self = number
  }

  fileprivate init?(counter bytes: some Collection<UInt8>) {
    self.init(counter: String(decoding: bytes, as: UTF8.self))
  }
}
