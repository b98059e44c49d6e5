internal import Testing

/// Says to the standard error, every five seconds, how far something is that takes many runs.
///
/// Only the time of the runs counts, not what other tests do between them.
struct Progress: Sendable {
  private let test = Test.currentName
  private(set) var spent = Duration.zero
  private var next = Duration.seconds(5)

  /// Whether a line is due.
  var isDue: Bool { spent >= next }

  mutating func add(_ run: FinishedRun) { spent += run.duration }

  /// Writes a line; the next one is due five seconds later.
  mutating func tell(_ text: String) {
    next = spent + .seconds(5)
    writeError("explore: \(test): \(text), for \(spent.components.seconds) s so far\n")
  }
}
