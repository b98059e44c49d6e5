internal import AsyncKnot
public import Synchronization

/// A task in which a holder handles messages, as an object that other code can cancel.
@usableFromInline
final class Runner: Sendable {
  // No tuple: a mutex would wrap its closure once more at each access.
  private struct State {
    /// The message at work: `shared`, or that of a message with a policy.
    var atWork: Errand
    /// Cancels the task; `nil` while it is being created.
    var cancel: (@Sendable () -> Void)?
  }

  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  @usableFromInline let shared: Errand
  @usableFromInline let priority: TaskPriority
  private let state: Mutex<State>

  @usableFromInline
  init(for holder: Int, at priority: TaskPriority) {
    shared = Errand(for: holder)
    self.priority = priority
    state = Mutex(State(atWork: shared))
  }

  func begin(_ errand: Errand) {
    state.withLock { state in
      state.atWork = errand
      if isCancelled.load(ordering: .relaxed) { errand.revoke() }
    }
  }

  /// Ends that message; one that was cancelled stays at work, for the tasks that it has left behind.
  func end() {
    state.withLock { if !isCancelled.load(ordering: .relaxed) { $0.atWork = shared } }
  }

  @usableFromInline
  func revoke() {
    state.withLock { state in
      isCancelled.store(true, ordering: .releasing)
      state.atWork.revoke()
    }
  }

  /// Revokes the message at work and cancels the task; the second call does nothing.
  func cancel() {
    revoke()
    state.withLock { $0.cancel.take() }?()
  }

  @usableFromInline
  func attach(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cancel = cancel
      return isCancelled.load(ordering: .relaxed)
    }
    if isLate { self.cancel() }
  }
}
