@testable import AsyncKnot

extension EventChannel {
  /// The number of subscriptions.
  var subscriberCount: Int { registry.storage.withLock { $0.inboxes.count } }

  /// The number of iterators that are waiting for an event.
  var waitingCount: Int {
    registry.storage.withLock { $0.inboxes.elements }
      .reduce(0) { count, inbox in count + inbox.storage.withLock { $0.waiting.count } }
  }
}

extension Observed {
  /// The number of stored key paths.
  ///
  /// Paths that are no longer tracked are removed at later changes.
  var pathCount: Int { paths.count }
}
