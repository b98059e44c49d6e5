/// Registers a buffering observer's inbox with the knot until the observer's iterator is dropped.
@usableFromInline
final class Subscription<State: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State>
  private let core: KnotCore<State>
  private let ticket: UInt64

  /// Puts the current state into a new inbox and registers the inbox, in one critical section.
  ///
  /// - Parameters:
  ///   - core: The knot to observe.
  ///   - policy: Which states are dropped when the inbox is full; the last state is always kept.
  init(to core: KnotCore<State>, policy: Inbox<State>.Policy) {
    let inbox = Inbox<State>(policy: policy, keepsLast: true)
    self.core = core
    self.inbox = inbox
    ticket = core.withStorage { storage in
      _ = inbox.deposit(storage.state)
      if storage.isFinished { inbox.finish() }
      return storage.inboxes.insert(inbox)
    }
  }

  deinit {
    core.remove { [ticket] in $0.inboxes.remove(ticket) }
  }
}
