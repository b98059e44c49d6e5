internal import ExploreSeam
public import Testing

/// Collects the elements of a sequence, so that a test can wait for them and look at them.
///
/// ```swift
/// let recorder = Recorder(account.balances)
/// await account.deposit(1)
/// await recorder.wait { $0.last == 1 }
/// ```
/// A task of the recorder iterates the sequence; in an exploration that is a task of the scenario. A wait
/// suspends until the elements have come, without polling. If the sequence ends before, the wait records an
/// issue. If the waiting task is cancelled, the wait returns the elements that have come. The iteration ends
/// with ``cancel()``, or when the recorder is released. A recorder may be used from any isolation.
///
/// An exploration reports a wait for elements that cannot come any more. Outside of one the trait
/// `.explainsHangs(after:)` tells where a test waits.
public final class Recorder<Element: Sendable>: Sendable {
  /// The way in which a sequence has ended.
  public enum End: Sendable {
    /// It returned `nil`.
    case finished
    /// It threw this error.
    case failed(any Error)
  }

  private let log: RecorderLog<Element>
  private let task: Task<Void, Never>

  /// Starts to record a sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to iterate.
  ///   - sourceLocation: The place of the call, by which reports name the recorder.
  public init<Base: AsyncSequence & Sendable>(
    _ sequence: Base, sourceLocation: SourceLocation = #_sourceLocation
  ) where Base.Element == Element {
    let name = "Recorder(\(sourceLocation.place))"
    let log = RecorderLog<Element>(name: name)
    self.log = log
    task = Task(name: name, executorPreference: Exploring.run) {
      do {
        for try await element in sequence { log.append(element) }
        log.end(.finished)
      } catch {
        log.end(.failed(error))
      }
    }
  }

  deinit { task.cancel() }

  /// The elements that have come so far, in order.
  public var elements: [Element] { log.elements }

  /// The way in which the sequence has ended; `nil` while it goes on.
  public var end: End? { log.ending }

  /// Cancels the task that iterates the sequence.
  public func cancel() { task.cancel() }

  /// Waits until at least this many elements have come.
  ///
  /// - Parameters:
  ///   - count: How many elements must have come, those before the call included.
  ///   - sourceLocation: The place at which an issue is recorded if the sequence ends before.
  /// - Returns: All elements that have come.
  @discardableResult
  public func wait(
    for count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Element] {
    await reach(count, "\(count) elements", sourceLocation)
    return elements
  }

  /// Waits until the elements that have come satisfy a condition.
  ///
  /// - Parameters:
  ///   - sourceLocation: The place at which an issue is recorded if the sequence ends before.
  ///   - condition: Judges all elements that have come, at once and again after later elements. It runs on
  ///     the isolation of the caller.
  /// - Returns: All elements that have come.
  @discardableResult
  nonisolated(nonsending) public func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until condition: ([Element]) -> Bool
  ) async -> [Element] {
    while true {
      // A local copy of the elements would make the next append copy them all.
      let seen = elements.count
      if condition(elements) { return elements }
      guard await reach(seen + 1, "a condition", sourceLocation) else { return elements }
    }
  }

  /// Waits until the sequence has ended, or the waiting task is cancelled.
  ///
  /// - Returns: All elements that have come.
  @discardableResult
  public func waitForEnd() async -> [Element] {
    _ = await log.reached(.max, "the end")
    return elements
  }

  /// Waits for a number of elements; records an issue if the sequence ends before.
  @discardableResult
  private func reach(
    _ count: Int, _ what: String, _ sourceLocation: SourceLocation
  ) async -> Bool {
    if await log.reached(count, what) { return true }
    if !Task.isCancelled {
      Verdict.record(
        "\(log.status) while the test waits for \(what)", sourceLocation: sourceLocation)
    }
    return false
  }
}

extension SourceLocation {
  /// The file and the line, as the testing library names them; short enough for a column of a report.
  package var place: String { "\(fileName):\(line)" }
}
