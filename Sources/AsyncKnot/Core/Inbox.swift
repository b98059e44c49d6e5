public import Synchronization

/// The buffer of one observer; of several consumers each element goes to one, and wakes one.
@usableFromInline
final class Inbox<Element: Sendable>: Sendable {
  @usableFromInline let storage: Mutex<InboxState<Element>>

  /// Creates an inbox; with `keepsLast` the newest element gets past a full `bufferingOldest` buffer.
  init(policy: InboxState<Element>.Policy, keepsLast: Bool) {
    storage = Mutex(InboxState(policy: policy, keepsLast: keepsLast))
  }

  var dropped: Int { storage.withLock { $0.dropped } }

  var waitingCount: Int { storage.withLock { $0.waiting.count } }

  /// Adds an element and wakes the consumer that has waited longest; no lock may be held.
  @inlinable
  func push(_ element: Element) { deposit(element).woken?.ring() }

  /// Adds an element under a lock of the caller, who wakes the consumer and releases the dropped
  /// element after it: a deinit is user code.
  @inlinable
  func deposit(_ element: Element) -> InboxState<Element>.Deposit {
    storage.withLock { $0.deposit(element) }
  }

  /// Ends the inbox and wakes all consumers; buffered elements can still be taken.
  @usableFromInline
  func finish() {
    for slot in storage.withLock({ $0.finish() }) { slot.element?.ring() }
  }

  /// Takes the oldest element, also in a cancelled task.
  func takeBuffered() -> Element? { storage.withLock { $0.takeFirst() } }
}

extension Inbox: Waitable {
  @inlinable
  func takeIfReady() -> Element? {
    Task.isCancelled ? nil : storage.withLock { $0.takeFirst() }
  }

  @inlinable
  func take(after position: Void, for waiter: Waiter) -> Taken<Element> {
    storage.withLock { $0.take(for: waiter) }
  }

  /// A cancelled consumer that was woken for an element wakes another one instead.
  @usableFromInline
  func leave(_ ticket: UInt64) { storage.withLock { $0.leave(ticket) }?.ring() }
}
