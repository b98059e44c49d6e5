package import AsyncKnot
internal import Synchronization

/// A holder as the test kit's probes see it; it counts as a listener until it is released.
package final class ProbePort<Cause: Sendable, State: Sendable>: Sendable {
  /// The transitions, and a record each time everything that was sent is carried out.
  package let records: EventSequence<Record<Cause, State>>
  /// The number of messages that were sent and are neither carried out nor dropped.
  package var unfinishedCount: Int { count() }

  private let count: @Sendable () -> Int
  private let end: @Sendable () -> Void

  init<Holder: Dispatcher>(
    _ desk: Desk<Holder>
  ) where Holder.ChangeCause == Cause, Holder.State == State {
    desk.probeCount.add(1, ordering: .relaxed)
    records = desk.records.subscribe()
    count = { desk.unfinishedCount }
    end = { desk.probeCount.subtract(1, ordering: .relaxed) }
  }

  deinit { end() }
}

extension Dispatcher {
  /// A new probe port for the holder.
  package nonisolated var probePort: ProbePort<ChangeCause, State> { ProbePort(desk) }
}
