public import AsyncKnot

/// Asks the system again and again, and holds what everybody looks at.
///
/// It knows nobody who looks: a tab that is slow, or gone, costs it nothing.
public actor Sampler: StateActor {
  /// The board, for whoever looks.
  public let knot = Knot(Board())
  private var reader: any ProcessReader

  /// Begins with an empty board.
  public init(_ reader: any ProcessReader) {
    self.reader = reader
  }

  /// Takes readings until the task is cancelled, or there were enough.
  public func run(every interval: Duration, count: Int?) async throws {
    try takeReading()
    var left = (count ?? .max) - 1
    guard left > 0 else { return }
    for await _ in AsyncInterval(every: interval) {
      try takeReading()
      left -= 1
      if left == 0 { return }
    }
  }

  /// Takes one reading.
  public func takeReading() throws {
    let reading = try reader.read()
    reduce { $0.add(reading) }
  }
}
