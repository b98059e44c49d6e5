public import Synchronization

/// The buffer of one observer.
///
/// If several consumers wait, each element wakes one of them, and only one consumer receives the element.
@usableFromInline
final class Inbox<Element: Sendable>: Sendable {
  @usableFromInline let storage: Mutex<InboxState<Element>>

  /// Creates an inbox.
  ///
  /// With `keepsLast`, the newest element is kept even if a `bufferingOldest` buffer is full.
  init(policy: InboxState<Element>.Policy, keepsLast: Bool) {
    storage = Mutex(InboxState(policy: policy, keepsLast: keepsLast))
  }

  var dropped: Int { storage.withLock { $0.dropped } }

  /// Adds an element; may be called under a lock.
  ///
  /// The caller wakes the consumer and releases the dropped element only after it has released its own lock, because a `deinit`
  /// may run user code.
  @inlinable
  func deposit(_ element: Element) -> InboxState<Element>.Deposit {
    storage.withLock { $0.deposit(element) }
  }

  /// Ends the inbox and wakes all consumers.
  ///
  /// The consumers can still take the buffered elements.
  @usableFromInline
  func finish() { for slot in storage.withLock({ $0.finish() }) { slot.element?.ring() } }

  /// Takes the oldest element, even in a cancelled task.
  func takeBuffered() -> Element? { storage.withLock { $0.takeFirst() } }
}

extension Inbox: Waitable {
  @inlinable
  func takeIfReady() -> Element? { Task.isCancelledNow ? nil : storage.withLock { $0.takeFirst() } }

  @inlinable
  func take(after position: Void, for waiter: Waiter) -> Taken<Element> {
    storage.withLock { $0.take(for: waiter) }
  }

  /// Removes a cancelled consumer.
  ///
  /// If that consumer had been woken for an element, another one is woken instead.
  @usableFromInline func leave(_ ticket: UInt64) { storage.withLock { $0.leave(ticket) }?.ring() }
}

/// The state machine of an inbox.
///
/// - Complexity: `finish` is O(consumers), and every other transition is amortized O(log consumers).
@usableFromInline
struct InboxState<Element: Sendable> {
  @usableFromInline typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  /// The consumer to wake and the element to release, once the caller has released its locks.
  @usableFromInline typealias Deposit = (woken: Waiter?, dropped: Element?)

  @usableFromInline var elements = Fifo<Element>()
  /// The newest element that did not fit into a full `bufferingOldest` buffer; used only with `keepsLast`.
  @usableFromInline var overflow: Element?
  @usableFromInline var waiting = SlotTable<Waiter>()
  @usableFromInline var dropped = 0
  @usableFromInline var isFinished = false
  @usableFromInline let policy: Policy
  @usableFromInline let keepsLast: Bool

  init(policy: Policy, keepsLast: Bool) {
    self.policy = policy
    self.keepsLast = keepsLast
  }

  @inlinable
  mutating func deposit(_ element: Element) -> Deposit {
    guard !isFinished else { return (nil, element) }
    let dropped = buffer(element)
    if dropped != nil { self.dropped &+= 1 }
    return (waiting.removeFirst(), dropped)
  }

  mutating func finish() -> [SlotTable<Waiter>.Slot] {
    isFinished = true
    return waiting.removeAll()
  }

  @inlinable
  mutating func take(for waiter: Waiter) -> Taken<Element> {
    if let element = takeFirst() { return .found(element) }
    return isFinished ? .finished : .wait(ticket: waiting.insert(waiter))
  }

  /// Removes a cancelled consumer.
  ///
  /// If that consumer had been woken for an element, returns another consumer to wake.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    waiting.remove(ticket) != nil || elements.isEmpty ? nil : waiting.removeFirst()
  }

  @inlinable
  mutating func takeFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    if let overflow = overflow.take() { elements.append(overflow) }
    return element
  }

  /// Stores an element according to the policy and returns the element that the policy drops, if any.
  @inlinable
  mutating func buffer(_ element: Element) -> Element? {
    switch policy {
    case .bufferingNewest(let limit):
      elements.append(element)
      return elements.count > limit ? elements.popFirst() : nil
    case .bufferingOldest(let limit) where elements.count >= limit:
      guard keepsLast else { return element }
      defer { overflow = element }
      return overflow
    case .unbounded, .bufferingOldest: fallthrough
    @unknown default:
      elements.append(element)
      return nil
    }
  }
}

/// Keeps an inbox registered with a knot or a channel until the last sequence or iterator that uses the inbox is released.
@usableFromInline
final class Subscription<Element: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<Element>
  private let end: @Sendable () -> Void

  init(_ inbox: Inbox<Element>, _ end: @escaping @Sendable () -> Void) {
    self.inbox = inbox
    self.end = end
  }

  deinit { end() }
}

extension AsyncStream.Continuation.BufferingPolicy {
  /// Traps if the policy's limit is less than 1.
  func checkRoom(for element: String, in call: String) {
    switch self {
    case .bufferingNewest(let limit), .bufferingOldest(let limit):
      precondition(limit >= 1, "\(call): needs room for at least 1 \(element); got \(limit)")
    case .unbounded: break
    @unknown default: break
    }
  }
}
