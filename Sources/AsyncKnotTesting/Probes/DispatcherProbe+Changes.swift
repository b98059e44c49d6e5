internal import AsyncKnot
internal import AsyncOptical
internal import ExploreTesting
internal import Synchronization
internal import Testing

extension DispatcherProbe {
  /// Records an issue for each change that the test has not asserted.
  func expectNoMore(_ moment: String, _ sourceLocation: SourceLocation) {
    while let transition = takeBuffered() {
      let hint =
        areSame(transition.before, transition.after)
        ? "\n  The state is the same as before, as after a confirmation. Assert it with 'expect { _ in }'"
        : ""
      Verdict.record(
        "a change was not asserted \(moment):\n\(transition)\(hint)", sourceLocation: sourceLocation
      )
    }
  }

  func expectNothingInFlight(_ sourceLocation: SourceLocation) {
    let count = port.unfinishedCount
    guard count > reported.exchange(count, ordering: .relaxed) else { return }
    let sent = sent.withLock { $0 }
    Verdict.record(
      "\(counted(count, "message")) \(count == 1 ? "is" : "are") still in flight"
        + (sent.isEmpty ? "" : "; the test sent \(sent.joined(separator: ", "))"),
      sourceLocation: sourceLocation)
  }

  /// Waits for the next change; returns `nil` if no message can cause another one, or if the task is cancelled.
  func next() async -> Transition<Subject.ChangeCause, Subject.State>? {
    var changes = port.changes.makeAsyncIterator()
    while true {
      if let transition = takeBuffered() { return transition }
      if port.unfinishedCount == 0 {
        // The subject may still change without a message, for example when its own timer fires.
        await untilIdleOrYields()
        return takeBuffered()
      }
      let note: @Sendable () -> String = { [port, sourceLocation] in
        "a probe (\(sourceLocation.place)) waits for a change; messages in flight: \(port.unfinishedCount)"
      }
      guard let change = await awaited(note, { await changes.next() }) else { return nil }
      if let change { return change }
    }
  }

  private func takeBuffered() -> Transition<Subject.ChangeCause, Subject.State>? {
    while let change = port.changes.takeBuffered() {
      if let change { return change }
    }
    return nil
  }
}
