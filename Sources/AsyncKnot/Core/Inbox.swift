public import Synchronization

/// The buffer of one observer: a writer adds elements, the iterators take them.
///
/// Adding never waits; the buffering policy decides which element is dropped when the buffer is
/// full. Several consumers may take from one inbox: each element goes to one of them and wakes one
/// of them.
@usableFromInline
final class Inbox<Element: Sendable>: Sendable {
  @usableFromInline
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  @usableFromInline let storage: Mutex<InboxState<Element>>

  /// Creates an empty inbox.
  ///
  /// - Parameters:
  ///   - policy: What happens to an element that finds the inbox full.
  ///   - keepsLast: Whether the newest element always gets through, even past a full
  ///     `bufferingOldest` buffer.
  @usableFromInline
  init(policy: Policy, keepsLast: Bool) {
    storage = Mutex(InboxState(policy: policy, keepsLast: keepsLast))
  }

  /// The number of elements that were dropped because the inbox was full.
  var dropped: Int { storage.withLock { $0.dropped } }

  /// The number of elements that can be taken now.
  var count: Int { storage.withLock { $0.count } }

  /// The number of consumers that wait.
  var waitingCount: Int { storage.withLock { $0.waiting.count } }

  /// Adds an element and wakes the consumer that has waited longest; no lock may be held.
  @inlinable
  func push(_ element: Element) {
    deposit(element).woken?.ring()
  }

  /// Adds an element and wakes no consumer; for callers that hold a lock of their own.
  ///
  /// - Parameter element: The element.
  /// - Returns: The consumer to wake, and the dropped element, to be released when the caller has
  ///   released its lock: a deinit is user code.
  @inlinable
  func deposit(_ element: Element) -> InboxState<Element>.Deposit {
    storage.withLock { $0.deposit(element) }
  }

  /// Ends the inbox and wakes all consumers; buffered elements can still be taken.
  @usableFromInline
  func finish() {
    for slot in storage.withLock({ $0.finish() }) { slot.element?.ring() }
  }

  /// Takes the oldest element if there is one, even in a cancelled task.
  func takeBuffered() -> Element? {
    storage.withLock { $0.takeFirst() }
  }
}

extension Inbox: Waitable {
  /// Takes the oldest element if there is one and the task is not cancelled.
  @inlinable
  func takeIfReady() -> Element? {
    Task.isCancelled ? nil : storage.withLock { $0.takeFirst() }
  }

  @inlinable
  func take(after position: Void, for waiter: Waiter) -> Taken<Element> {
    storage.withLock { $0.take(for: waiter) }
  }

  /// A cancelled consumer that was woken for an element wakes another one instead.
  @inlinable
  func leave(_ ticket: UInt64) {
    if Task.isCancelled { storage.withLock { $0.leave(ticket) }?.ring() }
  }
}
