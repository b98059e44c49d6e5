internal import AsyncKnot
public import Synchronization

/// The task in which a holder handles messages, one after another, as an object that other code can
/// cancel.
@usableFromInline
final class Runner: Sendable {
  private struct State {
    /// The message at work: `shared`, or that of a message with a policy.
    var atWork: Errand
    var isCancelled = false
    /// Cancels the task; `nil` while it is being created.
    var cancel: (@Sendable () -> Void)?
  }

  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  /// The errand of the messages without a policy.
  @usableFromInline let shared: Errand
  /// The priority of the task.
  @usableFromInline let priority: TaskPriority
  private let state: Mutex<State>

  @usableFromInline
  init(for holder: Int, at priority: TaskPriority) {
    shared = Errand(for: holder)
    self.priority = priority
    state = Mutex(State(atWork: shared))
  }

  /// Begins a message that has an errand of its own.
  @usableFromInline
  func begin(_ errand: Errand) {
    state.withLock { state in
      state.atWork = errand
      if state.isCancelled { errand.revoke() }
    }
  }

  /// Ends that message; one that was cancelled stays at work, for the tasks that it has left behind.
  @usableFromInline
  func end() {
    state.withLock { if !$0.isCancelled { $0.atWork = shared } }
  }

  /// Revokes the message at work; the runner begins no other.
  @usableFromInline
  func revoke() {
    isCancelled.store(true, ordering: .releasing)
    state.withLock { state in
      state.isCancelled = true
      state.atWork.revoke()
    }
  }

  /// Revokes the message at work and cancels the task; the second call does nothing.
  @usableFromInline
  func cancel() {
    revoke()
    state.withLock { $0.cancel.take() }?()
  }

  /// Stores how to cancel the task; cancels it at once if the runner was cancelled before.
  @usableFromInline
  func attach(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.cancel = cancel }
      return state.isCancelled
    }
    if isLate { cancel() }
  }
}
