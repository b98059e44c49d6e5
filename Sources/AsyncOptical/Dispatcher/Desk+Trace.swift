public import AsyncKnot
public import Synchronization

/// The parts of a holder that must be notified of a change; usually there are none.
@usableFromInline
struct Watchers: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The log of changes.
  @usableFromInline static var log: Watchers { Watchers(rawValue: 1) }
  /// The listeners of transitions.
  @usableFromInline static var transitions: Watchers { Watchers(rawValue: 2) }
  /// The handlers of events.
  ///
  /// The flag stays set until the first event after the last handler has ended.
  @usableFromInline static var events: Watchers { Watchers(rawValue: 4) }
  @usableFromInline static var all: Watchers { [.log, .transitions, .events] }
}

extension Desk {
  /// Returns whether any of the watchers is present, with one atomic load and no lock.
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

  /// Returns a mailbox item for a message, with a track if there is a handler of events.
  @inlinable
  func mail(_ message: Holder.Dispatched, _ receipt: Receipt?) -> Mail {
    isWatched(by: .events) ? tracked(message, receipt) : .sent(message, receipt)
  }

  @usableFromInline @inline(never)
  func tracked(_ message: Holder.Dispatched, _ receipt: Receipt?) -> Mail {
    guard let tracer = activeTracer() else { return .sent(message, receipt) }
    return .tracked(message, receipt, Track(message, tracer, by: Letter.current?.track))
  }

  /// Reports an event of a letter's message, or of the current message; does nothing without a handler of events.
  @usableFromInline @inline(never)
  func trace(_ kind: TraceEvent.Kind, of letter: Letter? = nil) {
    activeTracer()?.record(kind, of: (letter ?? message)?.track?.message)
  }

  /// Returns the tracer if there is a handler of events, and clears the flag if the last handler has ended.
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
    let (tracer, isCrowded) = tracer.withLock { known in
      let tracer = known ?? Tracer(of: "\(Holder.self)", number, on: timeline)
      let isCrowded = tracer.add(handler)
      setWatched(by: .events, true)
      known = tracer
      return (tracer, isCrowded)
    }
    if isCrowded { tracer.sweep() }
    return tracer
  }
}

extension Dispatcher {
  /// Calls a handler with every event that happens after this call.
  ///
  /// ```swift
  /// feed.trace(in: bag) { event in print(event) }
  /// ```
  /// The handler is called synchronously on the thread on which the event happens, for example on the sender's thread for
  /// ``TraceEvent/Kind/sent``. Two calls never overlap: an event that happens during a call is delivered after that call, usually
  /// on the same thread. So the handler sees all events in one order, and it may send messages to the actor. When the handler
  /// receives ``TraceEvent/Kind/sent``, the message is not yet in the mailbox. So a message that the handler then sends starts
  /// first, and `cancel(id)` does not cancel the traced message.
  ///
  /// Cancelling the bag or the entry removes the handler, but a call that already runs on another thread continues. Messages that
  /// were sent while there was no handler have no events, but their changes are reported. The actor keeps the handler, so capture
  /// the actor weakly. This method reads the holder's `clock` and traps if the clock's durations are not of type `Duration`.
  ///
  /// - Parameters:
  ///   - bag: The bag that removes the handler when the bag is cancelled or released.
  ///   - handler: Called on any thread.
  /// - Returns: The handler's entry in the bag.
  /// - Complexity: O(handlers) for each event. Without a handler, each message costs one comparison.
  @discardableResult
  public nonisolated func trace(
    in bag: TaskBag, _ handler: @escaping @Sendable (TraceEvent) -> Void
  ) -> TaskBag.Entry {
    let handler = Tracer.Handler(handler)
    let tracer = desk.add(handler, on: self)
    return bag.addHandler(endedBy: { [weak tracer, weak handler] in
      handler?.cancel()
      Reducer.afterwards { [tracer] in tracer?.sweep() }
    })
  }

  /// Calls a handler with every event that happens after this call, until `hasEnded` returns `true`.
  package nonisolated func trace(
    until hasEnded: @escaping @Sendable () -> Bool,
    _ handler: @escaping @Sendable (TraceEvent) -> Void
  ) {
    _ = desk.add(Tracer.Handler(hasEnded: hasEnded, handler), on: self)
  }

  /// The events that happen after this property is read.
  ///
  /// <!-- sample: let feed = Feed() -->
  /// ```swift
  /// let events = feed.trace
  /// feed.send(.load)
  /// for await event in events { print(event) }
  /// ```
  /// The sequence ends after the actor is released and its last message has ended. The subscription also ends when you drop the
  /// sequence and its iterators. Events are buffered until you receive them.
  ///
  /// - Complexity: The same as for ``trace(in:_:)``.
  public nonisolated var trace: EventSequence<TraceEvent> {
    let channel = EventChannel<TraceEvent>()
    let events = channel.subscribe()
    _ = desk.add(
      Tracer.Handler(hasEnded: { !channel.hasSubscribers }) { channel.send($0) }, on: self)
    return events
  }
}
