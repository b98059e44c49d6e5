@testable import AsyncKnot

extension EventChannel {
  /// How many subscriptions the channel has.
  var subscriberCount: Int { registry.storage.withLock { $0.inboxes.count } }

  /// How many iterators wait for an event.
  var waitingCount: Int {
    registry.storage.withLock { $0.inboxes.elements }
      .reduce(0) { count, inbox in count + inbox.storage.withLock { $0.waiting.count } }
  }
}

extension Observed {
  /// The number of known key paths; those that are no longer tracked are removed soon.
  var pathCount: Int { paths.count }
}
