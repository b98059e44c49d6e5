internal import Synchronization

/// An observer of a holder's states that can be ended or interrupted from outside, also while it
/// waits.
///
/// The observer starts after the state `current` and delivers newer ones to one consumer.
package final class StateObserver<State: Sendable>: Sendable {
  private struct Progress {
    /// The version of the last delivered state; only for a conflating observer.
    var seen: UInt64
    var isEnded = false
    /// Whether the next wait must end at once.
    var isInterrupted = false
    var slice = Slice()
  }

  private let core: KnotCore<State>
  private let subscription: Subscription<State>?
  private let progress: Mutex<Progress>
  private let waiter = Waiter()

  /// The state at the creation of the observer; `nil` for a buffering one, whose first `next`
  /// returns it.
  package let current: State?

  /// Creates an observer; a buffering one starts to buffer now.
  package init(of states: StateSequence<State>) {
    core = states.core
    subscription = states.policy.map(states.core.subscribe)
    let (state, version) = core.withStorage { ($0.state, $0.version) }
    current = subscription == nil ? state : nil
    progress = Mutex(Progress(seen: version))
  }

  deinit { end() }

  /// Ends the observer: from now on `next` returns `nil`, also to a consumer that waits.
  package func end() {
    progress.withLock { $0.isEnded = true }
    subscription?.inbox.finish()
    waiter.ring()
  }

  /// Makes `next` return `nil` to the consumer that waits, or at its next wait.
  package func interrupt() {
    progress.withLock { $0.isInterrupted = true }
    waiter.ring()
  }

  /// The next state; `nil` when the observer was ended, the holder is gone, or the task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> State? {
    if progress.withLock({ $0.slice.isOver() }) { await Slice.giveWay() }
    while !Task.isCancelled {
      guard let seen = progress.withLock({ $0.isEnded ? nil : $0.seen }) else { return nil }
      if let inbox = subscription?.inbox {
        if let state = inbox.takeIfReady() { return state }
        progress.withLock { $0.slice.restart() }
        let state = await inbox.next(after: (), as: Waiter(), isolation: isolation)
        return progress.withLock { $0.isEnded } ? nil : state
      }
      waiter.reset()
      switch core.take(after: seen, for: waiter) {
      case .found(let (state, version)):
        progress.withLock { $0.seen = version }
        return state
      case .finished: return nil
      case .wait(let ticket):
        let mayWait = progress.withLock { progress in
          progress.slice.restart()
          return !progress.isEnded && !progress.isInterrupted
        }
        if mayWait { await waiter.wait(isolation: isolation) }
        _ = core.withStorage { $0.waiting.remove(ticket) }
        let isInterrupted = progress.withLock { progress in
          defer { progress.isInterrupted = false }
          return progress.isInterrupted
        }
        if isInterrupted { return nil }
      }
    }
    return nil
  }
}
