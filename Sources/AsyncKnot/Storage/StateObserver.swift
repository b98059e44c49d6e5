internal import Synchronization

/// An observer of a holder's states that can be ended or interrupted from outside, also while it
/// waits.
///
/// The observer starts after the state `current` and delivers newer ones to one consumer.
package final class StateObserver<State: Sendable>: Sendable {
  private struct Progress {
    /// The version of the last delivered state; only for a conflating observer.
    var seen: UInt64
    /// The consumer's place in the wait list while the consumer waits.
    var ticket: UInt64?
    var isEnded = false
    /// Whether the next wait must end at once.
    var isInterrupted = false
    var slice = Slice()
  }

  private let core: KnotCore<State>
  private let subscription: Subscription<State>?
  private let progress: Mutex<Progress>

  /// The state at the creation of the observer; `nil` for a buffering one, whose first `next`
  /// returns it.
  package let current: State?

  /// Creates an observer; a buffering one starts to buffer now.
  ///
  /// - Parameter states: The sequence to observe; its policy decides whether the observer buffers.
  package init(of states: StateSequence<State>) {
    core = states.core
    subscription = states.policy.map { Subscription(to: states.core, policy: $0) }
    let (state, version) = core.withStorage { ($0.state, $0.version) }
    current = subscription == nil ? state : nil
    progress = Mutex(Progress(seen: version))
  }

  deinit { end() }

  /// Ends the observer: from now on `next` returns `nil`, also to a consumer that waits.
  ///
  /// The call is synchronous, from any thread; the second call does nothing.
  package func end() {
    let ticket = progress.withLock { progress in
      progress.isEnded = true
      return progress.ticket.take()
    }
    subscription?.inbox.finish()
    if let ticket { core.withdraw(ticket) }
  }

  /// Makes `next` return `nil` to the consumer that waits, or at its next wait; then it may be
  /// called again.
  ///
  /// An observer that buffers is not interrupted. The call is synchronous, from any thread.
  package func interrupt() {
    let ticket = progress.withLock { progress in
      progress.isInterrupted = true
      return progress.ticket
    }
    if let ticket { core.withdraw(ticket) }
  }

  /// The next state.
  ///
  /// - Parameter isolation: The consumer's isolation.
  /// - Returns: The state; `nil` when the observer was ended, the holder is gone, or the task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> State? {
    if progress.withLock({ $0.slice.isOver() }) { await Slice.giveWay() }
    while !Task.isCancelled {
      guard let seen = progress.withLock({ $0.isEnded ? nil : $0.seen }) else { return nil }
      if let inbox = subscription?.inbox {
        if let state = inbox.takeIfReady() { return state }
        progress.withLock { $0.slice.restart() }
        let state = await inbox.next(isolation: isolation)
        return progress.withLock { $0.isEnded } ? nil : state
      }
      switch core.read(after: seen) {
      case .state(let state, let version):
        progress.withLock { $0.seen = version }
        return state
      case .finished: return nil
      case .wait(let ticket):
        guard await wait(at: ticket, isolation: isolation) else { return nil }
      }
    }
    return nil
  }

  /// Waits for a newer state, the end, or a cancellation; returns `false` if it was interrupted.
  private func wait(at ticket: UInt64, isolation: isolated (any Actor)?) async -> Bool {
    Spawn.preemptionPoint()
    let mayWait = progress.withLock { progress in
      guard !progress.isEnded, !progress.isInterrupted else { return false }
      progress.ticket = ticket
      progress.slice.restart()
      return true
    }
    if mayWait {
      await core.wait(at: ticket, isolation: isolation)
    } else {
      _ = core.withStorage { $0.waiting.remove(ticket) }
    }
    return progress.withLock { progress in
      progress.ticket = nil
      defer { progress.isInterrupted = false }
      return !progress.isInterrupted
    }
  }
}
