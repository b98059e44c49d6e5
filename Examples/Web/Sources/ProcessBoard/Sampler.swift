public import AsyncKnot

/// Reads the system repeatedly and holds the board that all tabs show.
///
/// It does not know its observers, so a slow or closed tab costs it nothing.
public actor Sampler: StateActor {
  /// The board for observers.
  public let knot = Knot(Board())
  private var reader: any ProcessReader

  /// Creates a sampler with an empty board.
  public init(_ reader: any ProcessReader) {
    self.reader = reader
  }

  /// Takes readings until the task is cancelled or the limit is reached.
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
