package import AsyncDiff
package import AsyncKnot

/// An engine that keeps logs in memory, for tests and as the shortest example of an engine.
package actor MemoryLog: SnapshotLog, StateActor {
  package let knot: Knot<LogRules>

  /// - Parameter rules: The existing logs, for example from a restored copy.
  package init(_ rules: LogRules = LogRules()) {
    knot = Knot(rules)
  }

  package func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) -> ClaimOutcome {
    change { $0.claim(name, as: epoch, inPlaceOf: old, lease: lease, at: .now) }
  }

  package func append(_ message: LogMessage, to name: String) -> AppendOutcome {
    change { $0.append(message, to: name, at: .now) }
  }

  package func renew(_ name: String, _ epoch: UInt64, trouble: String?) -> Bool {
    change { $0.renew(name, epoch, trouble: trouble, at: .now) }
  }

  package func complain(_ name: String, _ epoch: UInt64, of trouble: String) {
    change { $0.complain(name, epoch, of: trouble) }
  }

  package func release(_ name: String, _ epoch: UInt64) {
    change { $0.release(name, epoch) }
  }

  package func heads() -> [LogHead] { state.heads(at: .now) }

  package func messages(of name: String, since revision: SnapshotRevision?) -> [LogMessage] {
    state.messages(of: name, since: revision)
  }

  package nonisolated func bells() -> any AsyncSequence<Void, Never> & Sendable {
    states.map { _ in }
  }

  /// Changes the logs in one step.
  package func change<Result>(_ body: (inout LogRules) -> Result) -> Result {
    var rules = state
    let result = body(&rules)
    reduce { [rules] in $0 = rules }
    return result
  }
}
