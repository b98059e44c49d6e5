public import Synchronization

/// The task in which a mailbox handles messages, as an object that other code can cancel.
///
/// A runner handles one message after another. Messages that another one may supersede have
/// numbers.
@usableFromInline
package final class Runner: Sendable {
  private enum Phase {
    /// The task is being created, and may already run.
    case starting
    /// The task was created; `cancel` cancels it.
    case attached(cancel: @Sendable () -> Void)
    /// The runner was cancelled, perhaps before its task was stored.
    case cancelled
  }

  private let phase = Mutex(Phase.starting)
  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  /// The number of the message being handled; 0 for messages without a number, and between two
  /// messages.
  ///
  /// A runner that was cancelled keeps the number of the message that was cancelled.
  @usableFromInline let current = Atomic(0)
  /// The mailbox whose messages the runner handles.
  @usableFromInline package let mailbox: ObjectIdentifier
  /// The priority of the task.
  @usableFromInline package let priority: TaskPriority

  @usableFromInline
  init(for mailbox: ObjectIdentifier, at priority: TaskPriority) {
    self.mailbox = mailbox
    self.priority = priority
  }

  /// Begins a message that may be superseded.
  ///
  /// - Parameter number: A number that no other message of this runner has; not 0.
  @inlinable
  package func begin(_ number: Int) { current.store(number, ordering: .releasing) }

  /// Ends a message that has a number.
  ///
  /// A message that was cancelled stays revoked, for the tasks that it has started and not awaited.
  /// The message before it that had no number stays unrevoked.
  @inlinable
  package func end() {
    if !isCancelled.load(ordering: .acquiring) { current.store(0, ordering: .releasing) }
  }

  /// Whether the message with this number was cancelled before it ended.
  ///
  /// A cancelled runner begins no further message, so `current` is the message that was cancelled.
  /// The answer is only exact on the actor of the mailbox, where no message begins or ends
  /// meanwhile.
  ///
  /// - Parameter number: The number given to `begin(_:)`; 0 asks whether the runner was cancelled
  ///   while it had no numbered message.
  /// - Returns: Whether writes of this message must be dropped.
  @inlinable
  package func isRevoked(_ number: Int) -> Bool {
    isCancelled.load(ordering: .acquiring) && current.load(ordering: .acquiring) == number
  }

  /// Cancels the task and the message at work; the second call does nothing.
  ///
  /// The call is synchronous, from any thread.
  @usableFromInline
  package func cancel() {
    isCancelled.store(true, ordering: .releasing)
    if case .attached(let cancel) = exchange(.cancelled) { cancel() }
  }

  /// Stores how to cancel the task; cancels it at once if the runner was cancelled before.
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
