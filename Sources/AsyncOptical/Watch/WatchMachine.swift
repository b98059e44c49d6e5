/// The machine behind one handler that is live: a value, whose transitions return what is to be done.
struct WatchMachine<Value: Sendable> {
  /// What the loop that delivers does next.
  enum Step {
    /// It delivers what a start gives, as long as the epoch lasts.
    case deliver(Watcher<Value>.Start, epoch: Int)
    /// It suspends until it is woken.
    case park
    /// It ends.
    case end
  }

  private enum Phase {
    /// Nothing is delivered, and nothing is registered.
    case paused
    /// Values are delivered, beginning with a start that the loop may still have to take up.
    case live(Watcher<Value>.Start)
    /// Nothing will be delivered any more; the handler is let go.
    case ended
  }

  /// What has to be done outside of the lock.
  struct Action {
    /// Ends the observer for which the loop may be waiting.
    var observer: Watcher<Value>.Start?
    /// Wakes the loop where it is parked.
    var parked: CheckedContinuation<Void, Never>?
    /// Dies outside of the lock.
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
  /// How often the phase has changed: what belongs to an earlier epoch is out of date.
  private(set) var epoch = 0

  init(_ handler: any WatchHandler<Value>) { self.handler = handler }

  /// Whether values may be asked for: the epoch, if it is a pause.
  var pausedEpoch: Int? { if case .paused = phase { epoch } else { nil } }

  /// Begins to deliver, if the pause in which the start was made still lasts.
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

  /// What the loop does after it has delivered what was there, in the epoch that it knows.
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

  /// Asks the loop to look whether its object is still there.
  ///
  /// - Returns: The start whose waiting has to be interrupted for that.
  mutating func check() -> Watcher<Value>.Start? {
    guard case .live(let start) = phase else { return nil }
    mustCheck = true
    return start
  }

  /// Whether the loop was asked to look; it was not after this.
  mutating func takeCheck() -> Bool {
    defer { mustCheck = false }
    return mustCheck
  }

  /// Parks the loop; `false` where it has something to do in the meantime.
  mutating func park(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard case .paused = phase else { return false }
    parked = continuation
    return true
  }
}
