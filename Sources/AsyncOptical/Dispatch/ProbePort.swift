package import AsyncKnot
internal import Synchronization

/// What a probe of the test kit sees of a holder; it counts as a listener until it is dropped.
package final class ProbePort<Cause: Sendable, State: Sendable>: Sendable {
  /// The transitions, and when all that was sent is carried out.
  package let records: EventSequence<Record<Cause, State>>
  /// How many messages were sent and are neither carried out nor dropped.
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
  /// What a probe sees of the holder.
  package nonisolated var probePort: ProbePort<ChangeCause, State> { ProbePort(desk) }
}
