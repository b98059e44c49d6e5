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
    @usableFromInline var woken: WaitList.Place?
    /// The dropped element, to be released outside the lock.
    @usableFromInline var dropped: Element?

    @inlinable
    init(woken: WaitList.Place? = nil, dropped: Element? = nil) {
      self.woken = woken
      self.dropped = dropped
    }
  }

  /// What `take()` found.
  @usableFromInline
  enum Taken: Sendable {
    case element(Element)
    /// The inbox is empty and finished.
    case finished
    /// The inbox is empty. A place was reserved in the same critical section; this is its ticket.
    case wait(UInt64)
  }

  @usableFromInline var elements = Fifo<Element>()
  /// With `keepsLast`: the newest element that a full `bufferingOldest` buffer could not take.
  @usableFromInline var overflow: Element?
  @usableFromInline var waiting = WaitList()
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
    let dropped = place(element)
    if dropped != nil { self.dropped += 1 }
    return Deposit(woken: waiting.wakeFirst(), dropped: dropped)
  }

  /// Puts an element back in front of all others; one consumer is woken for it.
  @inlinable
  mutating func giveBack(_ element: Element) -> WaitList.Place? {
    elements.prepend(element)
    return waiting.wakeFirst()
  }

  /// Wakes another consumer if elements are left, after a woken consumer was cancelled.
  @inlinable
  mutating func passOn() -> WaitList.Place? {
    elements.isEmpty ? nil : waiting.wakeFirst()
  }

  /// Ends the inbox and takes all waiting consumers out, to be woken.
  mutating func finish() -> WaitList.Woken {
    isFinished = true
    return waiting.wake()
  }

  /// Takes the oldest element; reserves a place to wait if there is none and the inbox is not
  /// finished.
  @inlinable
  mutating func take() -> Taken {
    if let element = takeFirst() { return .element(element) }
    return isFinished ? .finished : .wait(waiting.reserve())
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
  mutating func place(_ element: Element) -> Element? {
    switch policy {
    case .unbounded:
      elements.append(element)
      return nil
    case .bufferingNewest(let limit):
      elements.append(element)
      return elements.count > limit ? elements.popFirst() : nil
    case .bufferingOldest(let limit):
      if elements.count < limit {
        elements.append(element)
        return nil
      }
      guard keepsLast else { return element }
      defer { overflow = element }
      return overflow
    @unknown default:
      elements.append(element)
      return nil
    }
  }
}
