internal import AsyncKnot
internal import Synchronization

/// Passes a holder's events to its handlers, one event at a time and in the same order for all handlers.
///
/// The thread on which an event happens calls the handlers. If a call is already in progress, the event is queued, and the thread
/// of that call delivers it later. So a handler can send messages to its holder.
final class Tracer: Sendable {
  final class Handler: Sendable {
    private let isCancelled = Atomic(false)
    private let hasEnded: @Sendable () -> Bool
    fileprivate let call: @Sendable (TraceEvent) -> Void

    init(
      hasEnded: @escaping @Sendable () -> Bool = { false },
      _ call: @escaping @Sendable (TraceEvent) -> Void
    ) {
      (self.hasEnded, self.call) = (hasEnded, call)
    }

    fileprivate var isOver: Bool { isCancelled.load(ordering: .relaxed) || hasEnded() }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
  }

  private struct Storage {
    var handlers: [Handler] = []
    /// When this many handlers are registered, those that have ended are removed, even without an event.
    var limit = 16
    /// The events that happened during a call, each with the handlers at that time.
    var queue = SerialQueue<(event: TraceEvent, handlers: [Handler])>()
  }

  private let storage = Mutex(Storage())
  private let holder: String
  private let number: Int
  private let timeline: Timeline

  init(of holder: String, _ number: Int, on timeline: Timeline) {
    (self.holder, self.number, self.timeline) = (holder, number, timeline)
  }

  /// The number of handlers, including those that ended after the last event.
  var handlerCount: Int { storage.withLock { $0.handlers.count } }

  var isActive: Bool { storage.withLock { $0.handlers }.contains { !$0.isOver } }

  /// Adds a handler; returns whether the caller must call `sweep()` after it has released its own locks.
  func add(_ handler: Handler) -> Bool {
    storage.withLock { storage in
      storage.handlers.append(handler)
      return storage.handlers.count >= storage.limit
    }
  }

  /// Removes the handlers that have ended, and releases them outside the lock.
  func sweep() {
    let all = storage.withLock { storage in
      let all = storage.handlers
      storage.handlers.removeAll { $0.isOver }
      storage.limit = max(16, storage.handlers.count * 2)
      return all
    }
    withExtendedLifetime(all) {}
  }

  func record(_ kind: TraceEvent.Kind, of message: TraceEvent.Message?, by cause: Track? = nil) {
    let event = TraceEvent(
      kind: kind, holder: holder, holderID: number, message: message, cause: cause?.message,
      time: timeline.now())
    let handlers = storage.withLock { storage -> [Handler]? in
      if storage.queue.begin() { return storage.handlers }
      storage.queue.append((event, storage.handlers))
      return nil
    }
    guard let handlers else { return }
    // Deferred until a running reducer has returned, because a handler may use the reducer's holder.
    Reducer.afterwards { [self] in
      call(handlers, with: event)
      deliverQueued()
    }
  }

  /// Delivers the events that were queued during a call.
  ///
  /// After a slice of time another task continues the delivery, so that a sender does not spend long on the events of other
  /// threads.
  private func deliverQueued() {
    var slice = Slice()
    while let next = storage.withLock({ $0.queue.next() }) {
      call(next.handlers, with: next.event)
      if slice.isOver() { return _ = Spawn.apart { self.deliverQueued() } }
    }
  }

  private func call(_ handlers: [Handler], with event: TraceEvent) {
    var isAnyOver = false
    for handler in handlers {
      if handler.isOver { isAnyOver = true } else { handler.call(event) }
    }
    if isAnyOver { sweep() }
  }
}

/// A traced message, which ends exactly once; if it is released before its end, it ends as dropped.
@usableFromInline
final class Track: Sendable {
  let message: TraceEvent.Message
  /// The tracer; `nil` after the message has ended, because a task that the handler left behind must not keep the sequence of
  /// events open.
  private let tracer: Mutex<Tracer?>

  init(_ value: any Sendable, _ tracer: Tracer, by cause: Track?) {
    message = TraceEvent.Message(id: trackCount.add(1, ordering: .relaxed).newValue, value: value)
    self.tracer = Mutex(tracer)
    tracer.record(.sent, of: message, by: cause)
  }

  deinit { end(.ended(.dropped)) }

  func record(_ kind: TraceEvent.Kind) { tracer.withLock { $0 }?.record(kind, of: message) }

  func end(_ kind: TraceEvent.Kind, by cause: Track? = nil) {
    tracer.withLock { $0.take() }?.record(kind, of: message, by: cause)
  }
}

private let trackCount = Atomic(0)
