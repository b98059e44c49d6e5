public import AsyncKnot
public import Synchronization

/// The parts of a holder that must hear of a change; for most holders at most times, none.
@usableFromInline
struct Watchers: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The log of changes.
  @usableFromInline static var log: Watchers { Watchers(rawValue: 1) }
  /// The listeners of transitions.
  @usableFromInline static var transitions: Watchers { Watchers(rawValue: 2) }
  /// The handlers of events, until the first event after the last handler has ended.
  @usableFromInline static var events: Watchers { Watchers(rawValue: 4) }
  @usableFromInline static var all: Watchers { [.log, .transitions, .events] }
}

extension Desk {
  /// Whether any of the watchers is present: one load, and no lock.
  @inlinable
  func isWatched(by watchers: Watchers = .all) -> Bool {
    self.watchers.load(ordering: .relaxed) & watchers.rawValue != 0
  }

  func setWatched(by watchers: Watchers, _ isWatched: Bool) {
    if isWatched {
      self.watchers.bitwiseOr(watchers.rawValue, ordering: .relaxed)
    } else {
      self.watchers.bitwiseAnd(~watchers.rawValue, ordering: .relaxed)
    }
  }

  /// Returns a mail for a message, with a track if somebody listens to events.
  @inlinable
  func mail(_ message: Holder.Dispatched, _ receipt: Receipt?) -> Mail {
    isWatched(by: .events) ? tracked(message, receipt) : .sent(message, receipt)
  }

  @usableFromInline @inline(never)
  func tracked(_ message: Holder.Dispatched, _ receipt: Receipt?) -> Mail {
    guard let tracer = activeTracer() else { return .sent(message, receipt) }
    return .tracked(message, receipt, Track(message, tracer, by: Letter.current?.track))
  }

  /// Reports an event of a letter's message, or of the current one; does nothing while nobody listens.
  @usableFromInline @inline(never)
  func trace(_ kind: TraceEvent.Kind, of letter: Letter? = nil) {
    activeTracer()?.tell(kind, of: (letter ?? message)?.track?.message)
  }

  /// Returns the tracer if somebody listens to events, and clears the flag if the last listener has ended.
  private func activeTracer() -> Tracer? {
    guard isWatched(by: .events) else { return nil }
    let (tracer, isActive) = tracer.withLock { tracer in
      let isActive = tracer?.isActive ?? false
      if !isActive { setWatched(by: .events, false) }
      return (tracer, isActive)
    }
    if isActive { return tracer }
    tracer?.sweep()
    return nil
  }

  fileprivate func add(_ handler: Tracer.Handler, on holder: Holder) -> Tracer {
    let timeline = alarms(of: holder).timeline
    return tracer.withLock { known in
      let tracer = known ?? Tracer(of: "\(Holder.self)", number, on: timeline)
      tracer.add(handler)
      setWatched(by: .events, true)
      known = tracer
      return tracer
    }
  }
}

extension Dispatcher {
  /// Calls a handler with every event from now on.
  ///
  /// ```swift
  /// feed.trace(in: bag) { event in print(event) }
  /// ```
  /// The handler is called synchronously on the thread on which the event happens, for example on the sender's
  /// for ``TraceEvent/Kind/sent``. It is never called twice at the same time: an event that happens during a
  /// call follows after that call, on the same thread. So it sees all events in one order, and it may send to
  /// the actor.
  ///
  /// Cancelling the bag or the entry removes the handler; a call that runs on another thread may return after
  /// that. Messages that were sent earlier have no events. The actor keeps the handler, so let the handler capture
  /// the actor weakly. The holder's `clock` is read, which traps if its durations are not `Duration`.
  ///
  /// - Parameters:
  ///   - bag: Removes the handler when it is cancelled or released.
  ///   - handler: Called on any thread.
  /// - Returns: The handler's entry in the bag.
  /// - Complexity: One comparison for each message while nobody listens; otherwise O(handlers) for each event.
  @discardableResult
  public nonisolated func trace(
    in bag: TaskBag, _ handler: @escaping @Sendable (TraceEvent) -> Void
  ) -> TaskBag.Entry {
    let handler = Tracer.Handler(handler)
    let tracer = desk.add(handler, on: self)
    return bag.addHandler(endedBy: { [weak tracer, weak handler] in
      handler?.cancel()
      tracer?.sweep()
    })
  }

  /// Calls a handler with every event from now on, until `hasEnded` returns `true`.
  package nonisolated func trace(
    until hasEnded: @escaping @Sendable () -> Bool,
    _ handler: @escaping @Sendable (TraceEvent) -> Void
  ) {
    _ = desk.add(Tracer.Handler(hasEnded: hasEnded, handler), on: self)
  }

  /// Every event from now on.
  ///
  /// <!-- sample: let feed = Feed() -->
  /// ```swift
  /// let events = feed.trace
  /// feed.send(.load)
  /// for await event in events { print(event) }
  /// ```
  /// The subscription begins when the property is read. It ends with the actor, after the end of each message,
  /// or when the sequence and its iterators are dropped. Events that nobody has taken are kept.
  ///
  /// - Complexity: As of ``trace(in:_:)``.
  public nonisolated var trace: EventSequence<TraceEvent> {
    let channel = EventChannel<TraceEvent>()
    let events = channel.subscribe()
    _ = desk.add(
      Tracer.Handler(hasEnded: { !channel.hasSubscribers }) { channel.send($0) }, on: self)
    return events
  }
}
