public import Synchronization

/// The buffer of one observer: a writer adds elements, the iterators take them.
///
/// Adding never waits; the buffering policy decides which element is dropped when the buffer is
/// full. Several consumers may take from one inbox: each element goes to one of them and wakes one
/// of them.
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

  /// The number of elements that were dropped because the inbox was full.
  var dropped: Int { storage.withLock { $0.dropped } }

  /// The number of elements that can be taken now.
  var count: Int { storage.withLock { $0.count } }

  @inlinable
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result {
    storage.withLock { body(&$0.waiting) }
  }

  /// Adds an element and wakes the consumer that has waited longest.
  ///
  /// The call never waits. It must not be made while a lock is held; use `deposit(_:)` there.
  @inlinable
  func push(_ element: Element) {
    deposit(element).woken?.wake()
  }

  /// Adds an element and wakes no consumer; for callers that hold a lock of their own.
  ///
  /// - Parameter element: The element.
  /// - Returns: The consumer to wake, and the dropped element. The caller must wake and release
  ///   them after it has released its lock, because a deinit is user code.
  @inlinable
  func deposit(_ element: Element) -> InboxState<Element>.Deposit {
    storage.withLock { $0.deposit(element) }
  }

  /// Puts an unused element back in front of all others and wakes one consumer for it.
  @inlinable
  func giveBack(_ element: Element) {
    storage.withLock { $0.giveBack(element) }?.wake()
  }

  /// Ends the inbox and wakes all consumers; buffered elements can still be taken.
  func finish() {
    var woken = storage.withLock { $0.finish() }
    woken.resume()
  }

  /// Takes the oldest element; waits if there is none.
  ///
  /// - Parameter isolation: The consumer's isolation, on which this method runs.
  /// - Returns: The element; `nil` once the inbox is finished and empty, or when the task is
  ///   cancelled.
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
    // A cancelled consumer may have been woken for an element: wake another consumer instead.
    if hasWaited { storage.withLock { $0.passOn() }?.wake() }
    return nil
  }

  /// Takes the oldest element if there is one, even in a cancelled task.
  func takeBuffered() -> Element? {
    storage.withLock { $0.takeFirst() }
  }

  /// Takes the oldest element if there is one and the task is not cancelled.
  ///
  /// Consumers call this before `next(isolation:)`, because it is synchronous and so cheaper.
  @inlinable
  func takeIfReady() -> Element? {
    Task.isCancelled ? nil : storage.withLock { $0.takeFirst() }
  }
}
