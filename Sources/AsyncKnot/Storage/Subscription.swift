/// Keeps a buffering observer's inbox with the writer until the iterator is dropped.
@usableFromInline
final class Subscription<State: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State>
  private let core: KnotCore<State>
  private let ticket: UInt64

  /// Registers an inbox that already holds the current state, in one critical section.
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
    let removed = core.withStorage { $0.inboxes.remove(ticket) }
    withExtendedLifetime(removed) {}
  }
}
