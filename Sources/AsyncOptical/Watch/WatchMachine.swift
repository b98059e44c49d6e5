/// The state machine of a watching: a value whose transitions return the actions to carry out.
struct WatchMachine<Value: Sendable> {
  /// What the delivering loop does next.
  enum Step {
    /// The loop delivers the values of a start, as long as the epoch lasts.
    case deliver(Watcher<Value>.Start, epoch: Int)
    /// The loop suspends until it is woken.
    case park
    /// The loop ends.
    case end
  }

  private enum Phase {
    /// The watching delivers nothing and has no observer registered.
    case paused
    /// Values are delivered; the loop may not have begun with this start yet.
    case live(Watcher<Value>.Start)
    /// Nothing will be delivered any more; the handler is released.
    case ended
  }

  /// What the caller does outside the lock.
  struct Action {
    /// The observer to end; the loop may be waiting for it.
    var observer: Watcher<Value>.Start?
    /// The suspended loop to wake.
    var parked: CheckedContinuation<Void, Never>?
    /// The handler, to be released outside the lock.
    var handler: (any WatchHandler<Value>)?

    func carryOut() {
      observer?.end()
      parked?.resume()
    }
  }

  private var phase = Phase.paused
  private var handler: (any WatchHandler<Value>)?
  private var parked: CheckedContinuation<Void, Never>?
  private var mustCheck = false
  /// The number of changes of the phase: values that belong to an earlier epoch are dropped.
  private(set) var epoch = 0

  init(_ handler: any WatchHandler<Value>) { self.handler = handler }

  /// The epoch, if the phase is `paused`; else `nil`.
  var pausedEpoch: Int? { if case .paused = phase { epoch } else { nil } }

  /// Begins to deliver, unless the pause in which the start was made is over.
  mutating func resume(with start: Watcher<Value>.Start, in epoch: Int) -> Action? {
    guard pausedEpoch == epoch else { return nil }
    return change(to: .live(start))
  }

  mutating func pause() -> Action {
    guard case .live = phase else { return Action() }
    return change(to: .paused)
  }

  mutating func end() -> Action {
    if case .ended = phase { return Action() }
    var action = change(to: .ended)
    action.handler = handler.take()
    return action
  }

  private mutating func change(to next: Phase) -> Action {
    var action = Action(parked: parked.take())
    if case .live(let start) = phase { action.observer = start }
    phase = next
    epoch += 1
    return action
  }

  /// What the loop does next.
  func step() -> Step {
    switch phase {
    case .paused: .park
    case .live(let start): .deliver(start, epoch: epoch)
    case .ended: .end
    }
  }

  /// Whether an epoch still lasts.
  func isCurrent(_ epoch: Int) -> Bool { self.epoch == epoch }

  /// The handler, if a delivery that belongs to an epoch may begin now.
  func handler(in epoch: Int) -> (any WatchHandler<Value>)? { self.epoch == epoch ? handler : nil }

  /// Asks the loop to check whether its object is still there.
  ///
  /// - Returns: The start whose waiting must be interrupted for the check.
  mutating func check() -> Watcher<Value>.Start? {
    guard case .live(let start) = phase else { return nil }
    mustCheck = true
    return start
  }

  /// Whether the loop was asked to check; clears the request.
  mutating func takeCheck() -> Bool {
    defer { mustCheck = false }
    return mustCheck
  }

  /// Stores the loop's continuation; returns `false` if the loop need not suspend.
  mutating func park(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard case .paused = phase else { return false }
    parked = continuation
    return true
  }
}
