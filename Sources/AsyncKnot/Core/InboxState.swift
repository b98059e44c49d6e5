/// The state machine of an inbox, kept under the inbox's lock.
///
/// A transition returns the consumers to wake. The caller wakes them after it has released the
/// lock.
///
/// - Complexity: every transition but `finish` is O(1), amortised.
@usableFromInline
struct InboxState<Element: Sendable> {
  @usableFromInline
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  /// What the caller of `deposit(_:)` must do after it has released its locks.
  @usableFromInline
  struct Deposit: Sendable {
    /// The consumer to wake, if one waits.
    @usableFromInline var woken: Waiter?
    /// The dropped element, to be released outside the lock.
    @usableFromInline var dropped: Element?

    @inlinable
    init(woken: Waiter? = nil, dropped: Element? = nil) {
      self.woken = woken
      self.dropped = dropped
    }
  }

  @usableFromInline var elements = Fifo<Element>()
  /// With `keepsLast`: the newest element that a full `bufferingOldest` buffer could not take.
  @usableFromInline var overflow: Element?
  @usableFromInline var waiting = SlotTable<Waiter>()
  @usableFromInline var dropped = 0
  @usableFromInline var isFinished = false
  @usableFromInline let policy: Policy
  @usableFromInline let keepsLast: Bool

  @inlinable
  init(policy: Policy, keepsLast: Bool) {
    self.policy = policy
    self.keepsLast = keepsLast
  }

  var count: Int { elements.count + (overflow == nil ? 0 : 1) }

  /// Adds an element; one consumer is woken for it.
  @inlinable
  mutating func deposit(_ element: Element) -> Deposit {
    guard !isFinished else { return Deposit(dropped: element) }
    let dropped = buffer(element)
    if dropped != nil { self.dropped += 1 }
    return Deposit(woken: waiting.removeFirst(), dropped: dropped)
  }

  /// Ends the inbox and takes all waiting consumers out, to be woken.
  mutating func finish() -> [SlotTable<Waiter>.Slot] {
    isFinished = true
    return waiting.removeAll()
  }

  /// Takes the oldest element; registers a waiter if there is none and the inbox is not finished.
  @inlinable
  mutating func take(for waiter: Waiter) -> Taken<Element> {
    if let element = takeFirst() { return .found(element) }
    return isFinished ? .finished : .wait(ticket: waiting.insert(waiter))
  }

  /// Takes a cancelled consumer out.
  ///
  /// - Returns: The consumer to wake instead, if this one was woken for an element that is left.
  @inlinable
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    waiting.remove(ticket) != nil || elements.isEmpty ? nil : waiting.removeFirst()
  }

  /// Takes the oldest element and moves `overflow` into the freed room.
  @inlinable
  mutating func takeFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    if let overflow = overflow.take() { elements.append(overflow) }
    return element
  }

  /// Stores an element according to the policy.
  ///
  /// - Returns: The dropped element, if the buffer was full.
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
