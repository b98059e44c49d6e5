public import Synchronization

/// The task in which a mailbox handles messages: to be cancelled from elsewhere.
@usableFromInline
package final class Runner: Sendable {
  private enum Phase {
    /// The task is being created; it may even be at work already.
    case starting
    /// The task is known.
    case attached(cancel: @Sendable () -> Void)
    /// The task was cancelled, perhaps before it was known.
    case cancelled
  }

  private let phase = Mutex(Phase.starting)
  /// Whether the task at work was cancelled, by whomever: cheaper to ask for than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)

  @usableFromInline
  init() {}

  /// Cancels the task.
  package func cancel() {
    if case .attached(let cancel) = exchange(.cancelled) { cancel() }
  }

  /// Makes the task known.
  @usableFromInline
  func attach(_ cancel: @escaping @Sendable () -> Void) {
    if case .cancelled = exchange(.attached(cancel: cancel)) { cancel() }
  }

  private func exchange(_ next: Phase) -> Phase {
    phase.withLock { phase in
      defer { phase = next }
      return phase
    }
  }
}
