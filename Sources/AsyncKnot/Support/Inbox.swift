public import Synchronization

/// What one observer has still to take: filled by a writer, emptied by whoever iterates.
///
/// The writer pushes without ever waiting; what the consumer has no room for is dropped as the
/// standard buffering policies say. Several consumers may take from one inbox; each element goes to
/// one of them, and wakes one of them.
@usableFromInline
final class Inbox<Element: Sendable>: Waiting {
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

  /// How many elements found no room.
  var dropped: Int { storage.withLock { $0.dropped } }

  /// How many elements are there to be taken.
  var count: Int { storage.withLock { $0.count } }

  @inlinable
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result {
    storage.withLock { body(&$0.waiting) }
  }

  /// Adds an element and wakes the consumer that has waited longest.
  @inlinable
  func push(_ element: Element) {
    deposit(element).woken?.wake()
  }

  /// Adds an element without waking anybody, for callers that hold a lock of their own.
  ///
  /// - Returns: The consumer to wake, and the element that was dropped. Both must be handled after the
  ///   caller's lock is released: a deinit is user code.
  @inlinable
  func deposit(_ element: Element) -> InboxState<Element>.Deposit {
    storage.withLock { $0.deposit(element) }
  }

  /// Puts an element back that was taken for nothing, in front of all others.
  @inlinable
  func giveBack(_ element: Element) {
    storage.withLock { $0.giveBack(element) }?.wake()
  }

  /// Ends the inbox: what is in it can still be taken.
  func finish() {
    var woken = storage.withLock { $0.finish() }
    woken.resume()
  }

  /// Takes the oldest element; waits for one where there is none.
  ///
  /// - Returns: `nil` once the inbox is finished and empty, or when the task is cancelled.
  @inlinable @inline(never)
  func next(isolation: isolated (any Actor)?) async -> Element? {
    var hasWaited = false
    while !Task.isCancelled {
      switch storage.withLock({ $0.take() }) {
      case .element(let element): return element
      case .finished: return nil
      case .wait(let ticket):
        hasWaited = true
        await wait(at: ticket, isolation: isolation)
      }
    }
    // The element that woke this consumer is left to the next one.
    if hasWaited { storage.withLock { $0.passOn() }?.wake() }
    return nil
  }

  /// Takes the oldest element, if one is there.
  func takeBuffered() -> Element? {
    storage.withLock { $0.takeFirst() }
  }

  /// Takes the oldest element, if there is one now and the task is not cancelled.
  ///
  /// Consumers ask here first: it is all that draining a buffer takes.
  @inlinable
  func takeIfReady() -> Element? {
    Task.isCancelled ? nil : storage.withLock { $0.takeFirst() }
  }
}
