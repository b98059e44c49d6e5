/// A request that waits in an ``ApplyQueue``.
protocol ApplyRequest: Sendable {
  /// Whether nobody can cancel it, so that it decides for all that are older.
  var isFinal: Bool { get }
  /// Whether any snapshot that was given decides what this one asks, too.
  var yields: Bool { get }

  /// Takes over what an older request asks that this one replaces: its marks and its priority.
  mutating func absorb(_ older: Self)
}

/// How a request ended.
enum ApplyAnswer: Sendable {
  case shown(ApplyOutcome)
  case superseded
  case cancelled
  case failed(any Error)
}
