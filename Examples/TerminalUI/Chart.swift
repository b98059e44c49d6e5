/// Draws small charts with block characters.
package enum Chart {
  private static let steps: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let eighths: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

  /// Returns a chart of `height` rows, with the top row first.
  ///
  /// Every value above zero is visible.
  package static func columns(_ values: some Collection<Int>, height: Int) -> [String] {
    let top = values.max() ?? 0
    return (0..<height).reversed().map { row in
      String(values.map { steps[min(8, max(0, step($0, of: top, steps: height * 8) - row * 8))] })
    }
  }

  /// Returns a bar whose length is proportional to `value`; a value of `top` gives `width` columns.
  package static func bar(_ value: Int, of top: Int, width: Int) -> String {
    guard width > 0 else { return "" }
    let length = step(value, of: top, steps: width * 8)
    let full = String(repeating: eighths[8], count: length / 8)
    return length % 8 == 0 ? full : full + String(eighths[length % 8])
  }

  private static func step(_ value: Int, of top: Int, steps: Int) -> Int {
    guard value > 0, top > 0 else { return 0 }
    let share = Double(min(value, top)) / Double(top)
    return max(1, Int((share * Double(steps)).rounded()))
  }
}
