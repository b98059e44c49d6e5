import Foundation

/// A Markdown table that prints each row as soon as its figures are known.
public struct Report {
  private let columns: Int

  /// Prints an empty line and the header of a table.
  public init(_ columns: [String]) {
    self.columns = columns.count
    print()
    Report.write(columns)
    Report.write(["---"] + Array(repeating: "---:", count: columns.count - 1))
  }

  /// Prints a row with the given cells.
  public func row(_ cells: String...) { row(cells) }

  /// Prints a row with the cells of an array.
  public func row(_ cells: [String]) {
    precondition(cells.count == columns, "row(_:): needs \(columns) cells; got \(cells.count)")
    Report.write(cells)
  }

  /// Prints the heading of the tables: a title, the machine, the optimization mode and the date.
  public static func header(_ title: String) {
    print("### \(title)\n\n\(machine)")
  }

  private static func write(_ cells: [String]) {
    print("| " + cells.joined(separator: " | ") + " |")
    fflush(nil)
  }

  /// A line with the processor, the number of cores, the system, the optimization mode and the date.
  public static var machine: String {
    let information = ProcessInfo.processInfo
    let day = Date().formatted(.iso8601.year().month().day())
    var isDebug = false
    assert({ isDebug = true }() == ())
    return "\(processor), \(information.activeProcessorCount) cores, "
      + "\(information.operatingSystemVersionString), \(isDebug ? "DEBUG" : "release"), \(day)"
  }

  private static var processor: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown processor"
  }
}

/// Formats a number with three significant digits, as in 12.3 and 1.23.
///
/// A number below 1 has three decimals, as in 0.012, and a number from 1,000 has none, as in 1,234.
public func figure(_ value: Double) -> String {
  switch value {
  case 1000...: Int(value.rounded()).formatted(.number.locale(Locale(identifier: "en_US")))
  case 100...: String(format: "%.0f", value)
  case 10...: String(format: "%.1f", value)
  case 1...: String(format: "%.2f", value)
  default: String(format: "%.3f", value)
  }
}

/// Formats the ratio of `other` to `ours`, as in 12.3×.
public func ratio(_ other: Duration, to ours: Duration) -> String {
  figure(other.nanoseconds / ours.nanoseconds) + "×"
}
