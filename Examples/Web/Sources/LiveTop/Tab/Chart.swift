import ProcessBoard

/// A line chart of two minutes as an SVG path, with the newest value at the right edge.
struct Chart: Hashable, Sendable, Codable {
  static let width = 600
  static let height = 100

  /// The data of the SVG path, with integer coordinates relative to the previous point.
  var line: String
  /// The distance of the first point from the left edge, where the area below the line begins.
  var start: Int

  /// - Parameters:
  ///   - values: The values, each with its time in seconds, in the order of their times.
  ///   - ceiling: The value at the top edge. Greater values are also drawn there.
  init(_ values: some Sequence<(time: Double, value: Double)>, ceiling: Double) {
    let values = Array(values)
    guard let end = values.last?.time else {
      self.init(line: "", start: Self.width)
      return
    }
    var line = ""
    var last = (x: 0, y: 0), start = Self.width
    for (number, (time, value)) in values.enumerated() {
      let x = Self.width - Int(nearest: (end - time) / Machine.span * Double(Self.width))
      let part = ceiling > 0 ? min(max(value / ceiling, 0), 1) : 0
      let y = Self.height - Int(nearest: part * Double(Self.height))
      line += number == 0 ? "M\(x) \(y)" : "l\(x - last.x) \(y - last.y)"
      last = (x, y)
      if number == 0 { start = x }
    }
    self.init(line: line, start: start)
  }

  private init(line: String, start: Int) {
    self.line = line
    self.start = start
  }
}
