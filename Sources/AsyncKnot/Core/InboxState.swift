/// The state machine of an inbox; each transition but `finish` is O(1), amortised.
@usableFromInline
struct InboxState<Element: Sendable> {
  @usableFromInline
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  /// The consumer to wake, and the element to release, when the locks are released.
  @usableFromInline typealias Deposit = (woken: Waiter?, dropped: Element?)

  @usableFromInline var elements = Fifo<Element>()
  /// With `keepsLast`: the newest element that a full `bufferingOldest` buffer could not take.
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
    if dropped != nil { self.dropped += 1 }
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

  /// Takes a cancelled consumer out; returns another one if this one was woken for an element.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    waiting.remove(ticket) != nil || elements.isEmpty ? nil : waiting.removeFirst()
  }

  @inlinable
  mutating func takeFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    if let overflow = overflow.take() { elements.append(overflow) }
    return element
  }

  /// Stores an element as the policy says; returns the dropped one.
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
