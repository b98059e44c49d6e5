/// The state machine of an inbox.
///
/// Its transitions say whom to wake; the caller does so without the lock.
///
/// - Complexity: every transition but `finish` is O(1), amortised.
@usableFromInline
struct InboxState<Element: Sendable> {
  @usableFromInline
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  /// What a deposit leads to.
  @usableFromInline
  struct Deposit: Sendable {
    /// The consumer to wake.
    @usableFromInline var woken: WaitList.Place?
    /// The element that found no room.
    @usableFromInline var dropped: Element?

    @inlinable
    init(woken: WaitList.Place? = nil, dropped: Element? = nil) {
      self.woken = woken
      self.dropped = dropped
    }
  }

  /// What a consumer finds.
  @usableFromInline
  enum Taken: Sendable {
    case element(Element)
    /// Nothing, and nothing will come.
    case finished
    /// Nothing yet: a place was taken in the same critical section.
    case wait(UInt64)
  }

  @usableFromInline var elements = Fifo<Element>()
  /// The newest element that found no room, kept where the last one has to arrive.
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

  /// Lets another consumer have the element that a cancelled one was woken for.
  @inlinable
  mutating func passOn() -> WaitList.Place? {
    elements.isEmpty ? nil : waiting.wakeFirst()
  }

  /// Ends the inbox; everybody is woken.
  mutating func finish() -> WaitList.Woken {
    isFinished = true
    return waiting.wake()
  }

  /// Takes the oldest element, or a place to wait for one.
  @inlinable
  mutating func take() -> Taken {
    if let element = takeFirst() { return .element(element) }
    return isFinished ? .finished : .wait(waiting.reserve())
  }

  /// Takes the oldest element; the one that found no room moves up.
  @inlinable
  mutating func takeFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    if let overflow = overflow.take() { elements.append(overflow) }
    return element
  }

  /// Puts an element where the policy says.
  ///
  /// - Returns: The element that found no room.
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
