public import AsyncKnot

/// Takes readings repeatedly, and holds the board that is made from them.
///
/// The sampler does not know its observers, so a slow or closed tab does not affect the sampler.
public actor Sampler: StateActor {
  /// The knot that holds the board.
  public let knot = Knot(Board())
  private var reader: any ProcessReader

  /// Creates a sampler with an empty board and a reader.
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

  /// Takes one reading and adds it to the board.
  public func takeReading() throws {
    let reading = try reader.read()
    reduce { $0.add(reading) }
  }
}
