internal import AsyncKnot
public import Testing

/// Collects what a sequence delivers, for a test to wait for and look at.
///
/// ```swift
/// let recorder = Recorder(node.states)
/// await node.sink(State(count: 1))
/// await recorder.wait { $0.last?.count == 1 }
/// ```
/// The sequence is iterated by a task of the recorder; under an exploration that is a task of the
/// scenario. A wait suspends until what it asks for has come: it never sleeps. Where the sequence ends
/// first, an issue is recorded at the wait. A cancelled wait returns what there is. The iteration ends
/// with ``cancel()``, or when the recorder is dropped.
public final class Recorder<Element: Sendable>: Sendable {
  /// How a sequence ended.
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
  ///   - sequence: What to iterate.
  ///   - sourceLocation: Where the recorder is made, for the report of a stall.
  public init<Base: AsyncSequence & Sendable>(
    _ sequence: Base, sourceLocation: SourceLocation = #_sourceLocation
  ) where Base.Element == Element {
    let log = RecorderLog<Element>(name: "Recorder(\(sourceLocation.place))")
    self.log = log
    task = Spawn.task {
      do {
        for try await element in sequence { log.append(element) }
        log.end(.finished)
      } catch {
        log.end(.failed(error))
      }
    }
  }

  deinit { task.cancel() }

  /// What has come so far, in order.
  public var elements: [Element] { log.elements }

  /// How the sequence ended; `nil` while it goes on.
  public var end: End? { log.ending }

  /// Ends the iteration.
  public func cancel() { task.cancel() }

  /// Waits until at least this many elements have come.
  ///
  /// - Parameters:
  ///   - count: How many elements are enough.
  ///   - sourceLocation: Where an issue is recorded if the sequence ends before.
  /// - Returns: All that has come.
  @discardableResult
  public func wait(
    for count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Element] {
    let isMet = await log.reached(count, "\(count) elements")
    if !isMet { complain("\(count) elements", sourceLocation) }
    return elements
  }

  /// Waits until what has come satisfies a condition.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where an issue is recorded if the sequence ends before.
  ///   - condition: Looks at all that has come; it is asked again after each element.
  /// - Returns: All that has come.
  @discardableResult
  nonisolated(nonsending) public func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until condition: ([Element]) -> Bool
  ) async -> [Element] {
    while true {
      // A local copy of the elements would make the next append copy them all.
      let seen = elements.count
      if condition(elements) { return elements }
      guard await log.reached(seen + 1, "a condition") else {
        complain("a condition", sourceLocation)
        return elements
      }
    }
  }

  /// Waits until the sequence has ended.
  ///
  /// - Returns: All that has come.
  @discardableResult
  public func waitForEnd() async -> [Element] {
    _ = await log.reached(.max, "the end")
    return elements
  }

  private func complain(_ what: String, _ sourceLocation: SourceLocation) {
    guard !Task.isCancelled else { return }
    Issue.record(
      "\(log.status) while the test waits for \(what)", sourceLocation: sourceLocation)
  }
}

extension SourceLocation {
  /// The file and the line.
  var place: String { "\(fileID):\(line)" }
}
