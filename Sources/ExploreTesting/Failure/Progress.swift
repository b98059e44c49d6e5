internal import Testing

/// Prints the progress of many runs to standard error every five seconds.
///
/// Only the time of the runs counts, because other tests run between them.
struct Progress: Sendable {
  private let test = Test.currentName
  private(set) var spent = Duration.zero
  private var next = Duration.seconds(5)

  /// Whether the next line is due.
  var isDue: Bool { spent >= next }

  mutating func add(_ run: FinishedRun) { spent += run.duration }

  /// Prints a line of progress.
  ///
  /// The next line is due five seconds later.
  mutating func tell(_ text: String) {
    next = spent + .seconds(5)
    writeError("explore: \(test): \(text), for \(spent.components.seconds) s so far\n")
  }
}
