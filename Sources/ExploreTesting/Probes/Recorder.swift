internal import ExploreSeam
public import Testing

/// Collects the elements of a sequence, so that a test can wait for them and check them.
///
/// ```swift
/// let recorder = Recorder(account.balances)
/// await account.deposit(1)
/// await recorder.wait { $0.last == 1 }
/// ```
/// The recorder starts a task that iterates the sequence; in an exploration, that task belongs to the scenario. A wait
/// suspends, without polling, until the elements have arrived. If the sequence ends first, the wait records an issue. If you
/// cancel the waiting task, the wait returns the elements so far. The iteration ends with ``cancel()``, or when the recorder is
/// released. You can use a recorder from any isolation.
///
/// If a test in an exploration waits for elements that can no longer arrive, the exploration reports a stall. Outside an
/// exploration, the trait `.explainsHangs(after:)` shows where a test waits.
public final class Recorder<Element: Sendable>: Sendable {
  /// How a sequence ended.
  public enum End: Sendable {
    /// The sequence returned `nil`.
    case finished
    /// The sequence threw this error.
    case failed(any Error)
  }

  private let log: RecorderLog<Element>
  private let task: Task<Void, Never>

  /// Starts recording a sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to iterate.
  ///   - sourceLocation: The call site, which identifies the recorder in reports.
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

  /// The elements that have arrived so far, in order.
  public var elements: [Element] { log.elements }

  /// How the sequence ended; `nil` before it ends.
  public var end: End? { log.ending }

  /// Cancels the task that iterates the sequence.
  public func cancel() { task.cancel() }

  /// Waits until at least `count` elements have arrived.
  ///
  /// - Parameters:
  ///   - count: The number of elements, including those that arrived before the call.
  ///   - sourceLocation: Where an issue is recorded if the sequence ends first.
  /// - Returns: All elements so far.
  @discardableResult
  public func wait(
    for count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Element] {
    await reach(count, counted(count, "element"), sourceLocation)
    return elements
  }

  /// Waits until the elements so far satisfy a condition.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where an issue is recorded if the sequence ends first.
  ///   - condition: Checks all elements so far. It runs on the caller's isolation: once at the start of the wait, and again
  ///     when more elements have arrived.
  /// - Returns: All elements so far.
  @discardableResult
  nonisolated(nonsending) public func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until condition: ([Element]) -> Bool
  ) async -> [Element] {
    while true {
      // Holding a copy of the elements would make the next append copy the whole array.
      let seen = elements.count
      if condition(elements) { return elements }
      guard await reach(seen + 1, "matching elements", sourceLocation) else { return elements }
    }
  }

  /// Waits until the sequence ends, or the waiting task is cancelled.
  ///
  /// - Returns: All elements so far.
  @discardableResult
  public func waitForEnd() async -> [Element] {
    _ = await log.reached(.max, "the end")
    return elements
  }

  /// Waits for a number of elements; records an issue if the sequence ends first.
  @discardableResult
  private func reach(
    _ count: Int, _ what: String, _ sourceLocation: SourceLocation
  ) async -> Bool {
    if await log.reached(count, what) { return true }
    if !Task.isCancelled {
      Verdict.record(
        "\(log.status), but the test waited for \(what)", sourceLocation: sourceLocation)
    }
    return false
  }
}

extension SourceLocation {
  /// The file name and the line, short enough for a column of a report.
  package var place: String { "\(fileName):\(line)" }
}
