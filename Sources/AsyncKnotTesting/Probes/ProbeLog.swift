internal import AsyncKnot
internal import AsyncOptical
internal import Synchronization
internal import Testing

/// The changes of one holder that a test has not stated yet.
final class ProbeLog<Cause: Sendable, State: Sendable & Equatable>: Sendable {
  private let port: ProbePort<Cause, State>
  private let asserted: Mutex<State>
  private let sourceLocation: SourceLocation

  init(_ port: ProbePort<Cause, State>, from state: State, _ sourceLocation: SourceLocation) {
    self.port = port
    self.sourceLocation = sourceLocation
    asserted = Mutex(state)
  }

  deinit {
    expectNoMore("when the probe was dropped", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }

  nonisolated(nonsending) func expect(
    _ sourceLocation: SourceLocation, _ change: (inout State) -> Void
  ) async -> Transition<Cause, State>? {
    guard let transition = await next() else {
      // The issue for which a test was cancelled is recorded already.
      guard !Task.isCancelled else { return nil }
      Verdict.record(
        "expected a change, but nothing that was sent is in flight any more",
        sourceLocation: sourceLocation)
      return nil
    }
    let expected = asserted.withLock { state in
      var expected = state
      change(&expected)
      state = transition.after
      return expected
    }
    if expected != transition.after {
      let lines = StateDifference(from: expected, to: transition.after).description
      Verdict.record(
        "\(transition.causeText) led to another state (expected → actual):\n\(lines)",
        sourceLocation: sourceLocation)
    }
    return transition
  }

  func finish(_ sourceLocation: SourceLocation) async {
    await untilIdleOrYields()
    // A handler that has committed its last change has still to return.
    await untilIdle(while: port.unfinishedCount > 0)
    expectNoMore("at the end", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }

  func expectNoMore(_ moment: String, _ sourceLocation: SourceLocation) {
    while let transition = takeBuffered() {
      asserted.withLock { $0 = transition.after }
      Verdict.record(
        "a change was not asserted \(moment):\n\(transition)", sourceLocation: sourceLocation)
    }
  }

  private func expectNothingInFlight(_ sourceLocation: SourceLocation) {
    let count = port.unfinishedCount
    guard count > 0 else { return }
    Verdict.record(
      "\(count) of what was sent \(count == 1 ? "is" : "are") still in flight",
      sourceLocation: sourceLocation)
  }

  /// The next change; `nil` when none can come any more.
  private func next() async -> Transition<Cause, State>? {
    var changes = port.changes.makeAsyncIterator()
    while true {
      if let transition = takeBuffered() { return transition }
      if port.unfinishedCount == 0 {
        // The subject may still make a change without a message, for example at a tick of its own.
        await untilIdleOrYields()
        return takeBuffered()
      }
      let note: @Sendable () -> String = { [port, sourceLocation] in
        "a probe (\(sourceLocation.place)) expects a change; in flight: \(port.unfinishedCount)"
      }
      guard let change = await awaited(note, { await changes.next() }) else { return nil }
      if let change { return change }
    }
  }

  private func takeBuffered() -> Transition<Cause, State>? {
    while let change = port.changes.takeBuffered() {
      if let change { return change }
    }
    return nil
  }
}
