public import Synchronization

/// The task in which a mailbox handles messages: to be cancelled from elsewhere.
///
/// It handles one message after another. Those that another message may supersede have numbers.
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
  /// Whether the task was cancelled, by whomever: cheaper to ask for than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  /// The number of the message at work; 0 where it has none, and between two messages.
  @usableFromInline let current = Atomic(0)
  /// The mailbox whose messages it handles.
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

  /// Ends a message that has a number: whatever it has started is on its own from now on.
  @inlinable
  package func end() { current.store(0, ordering: .releasing) }

  /// Whether the message with this number was cancelled before it ended.
  ///
  /// A runner that was cancelled begins no other message, so its last one is the one that was meant.
  @inlinable
  package func isRevoked(_ number: Int) -> Bool {
    isCancelled.load(ordering: .acquiring) && current.load(ordering: .acquiring) == number
  }

  /// Cancels the task, and with it the message at work.
  @usableFromInline
  package func cancel() {
    isCancelled.store(true, ordering: .releasing)
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
