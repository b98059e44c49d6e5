import TerminalUI

extension Category {
  var style: Style {
    switch self {
    case .success, .info: Style(.green)
    case .redirect, .notice: Style(.cyan)
    case .clientError, .warning: Style(.yellow)
    case .serverError, .error: Style(.red)
    case .critical: Style(.red, .bold)
    case .malformed: Style(.magenta)
    case .informational, .debug, .other: .plain
    }
  }
}

extension Panel {
  var title: String {
    switch self {
    case .keys: "Busiest"
    case .clients: "Clients"
    case .agents: "Agents"
    case .referrers: "Referrers"
    }
  }
}

extension Ranking.Mark {
  var symbol: String {
    switch self {
    case .stayed: " "
    case .rose: "▲"
    case .fell: "▼"
    case .new: "+"
    }
  }

  var style: Style {
    switch self {
    case .stayed: .plain
    case .rose, .new: Style(.green)
    case .fell: Style(.yellow)
    }
  }
}

extension Int {
  /// The number with commas between groups of three digits, such as 1,234,567.
  var grouped: String {
    var digits = String(magnitude)[...]
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// The grouped number with its noun, such as 1 line or 2,013 lines.
  var inLines: String { "\(grouped) \(self == 1 ? "line" : "lines")" }

  /// Returns the share of `total` in percent, with one decimal place.
  func percent(of total: Int) -> String {
    guard total > 0 else { return "" }
    let tenths = (Double(self) / Double(total) * 1000).rounded()
    return "\(Int(tenths) / 10).\(Int(tenths) % 10) %"
  }

  /// The number of bytes, in the largest unit of B, KiB, MiB and GiB that gives a value of at least one.
  var inBytes: String {
    var value = Double(self)
    for unit in ["B", "KiB", "MiB"] {
      if value < 1024 { return unit == "B" ? "\(self) B" : "\(tenths(value)) \(unit)" }
      value /= 1024
    }
    return "\(tenths(value)) GiB"
  }

  /// The number as a duration in seconds, in a unit that keeps the text short.
  var inTime: String {
    switch self {
    case ..<120: "\(self) s"
    case ..<7200: "\((self + 30) / 60) min"
    case ..<172_800: "\((self + 1800) / 3600) h"
    default: "\((self + 43_200) / 86_400) days"
    }
  }

  /// The number as a duration in microseconds, in the largest unit that gives a value of at least one.
  var inDuration: String {
    switch self {
    case ..<1000: "\(self) µs"
    case ..<1_000_000: "\(tenths(Double(self) / 1000)) ms"
    default: "\(tenths(Double(self) / 1_000_000)) s"
    }
  }

  private func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
