import ProcessBoard

/// A line over two minutes as an SVG path, with the newest moment at the right edge.
struct Chart: Hashable, Sendable, Codable {
  static let width = 600
  static let height = 100

  /// The path's data in integers, each point relative to the previous one.
  var line: String
  /// The first point's distance from the left, where an area below the line begins.
  var start: Int

  /// - Parameters:
  ///   - values: Moments in seconds, ascending, with their values.
  ///   - ceiling: The value at the upper edge, where greater values are also drawn.
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
