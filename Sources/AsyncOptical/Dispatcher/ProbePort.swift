package import AsyncKnot

/// A holder as the test kit's probes see it.
package struct ProbePort<Cause: Sendable, State: Sendable>: Sendable {
  /// The transitions, and a record each time everything that was sent is carried out.
  package let records: EventSequence<Record<Cause, State>>
  /// The number of messages that were sent and are neither carried out nor dropped.
  package var unfinishedCount: Int { count() }

  let count: @Sendable () -> Int
}

extension Dispatcher {
  /// A new probe port for the holder.
  package nonisolated var probePort: ProbePort<ChangeCause, State> {
    let desk = desk
    return ProbePort(
      records: desk.listeners.records { $0 }, count: { desk.unfinishedCount })
  }
}
