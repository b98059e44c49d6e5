public import Synchronization

/// What one observer has still to take: filled by a writer, emptied by whoever iterates.
///
/// The writer pushes without ever waiting; what the consumer has no room for is dropped as the
/// standard buffering policies say. Several consumers may take from one inbox; each element goes to
/// one of them.
@usableFromInline
final class Inbox<Element: Sendable>: Waiting {
  @usableFromInline
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  @usableFromInline
  struct Storage {
    @usableFromInline var elements = Fifo<Element>()
    /// The newest element that found no room, kept where the last one has to arrive.
    @usableFromInline var overflow: Element?
    @usableFromInline var waiting = WaitList()
    @usableFromInline var dropped = 0
    @usableFromInline var isFinished = false

    @inlinable
    init() {}

    /// Takes the oldest element; the one that found no room moves up.
    @inlinable
    mutating func takeFirst() -> Element? {
      guard let element = elements.popFirst() else { return nil }
      if let overflow = overflow.take() { elements.append(overflow) }
      return element
    }
  }

  /// What a consumer finds.
  @usableFromInline
  enum Taken: Sendable {
    case element(Element)
    case finished
    /// Nothing yet: a place was taken in the same critical section.
    case wait(UInt64)
  }

  @usableFromInline let storage = Mutex(Storage())
  @usableFromInline let policy: Policy
  @usableFromInline let keepsLast: Bool

  /// Creates an empty inbox.
  ///
  /// - Parameters:
  ///   - policy: What happens to an element that finds the inbox full.
  ///   - keepsLast: Whether the newest element always gets through, even past a full
  ///     `bufferingOldest` buffer.
  @usableFromInline
  init(policy: Policy, keepsLast: Bool) {
    self.policy = policy
    self.keepsLast = keepsLast
  }

  /// How many elements found no room.
  var dropped: Int { storage.withLock { $0.dropped } }

  /// How many elements are there to be taken.
  var count: Int { storage.withLock { $0.elements.count + ($0.overflow == nil ? 0 : 1) } }

  @inlinable
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result {
    storage.withLock { body(&$0.waiting) }
  }

  /// Adds an element and tells the consumers that wait.
  @inlinable
  func push(_ element: Element) {
    var deposit = deposit(element)
    announce(&deposit.woken)
  }

  /// Adds an element without telling anybody, for callers that hold a lock of their own.
  ///
  /// - Returns: Who has to be told, and the element that was dropped, which must die outside the lock.
  @inlinable
  func deposit(_ element: Element) -> (woken: WaitList.Woken, dropped: Element?) {
    storage.withLock { storage in
      guard !storage.isFinished else { return (WaitList.Woken(), element) }
      let dropped = Self.place(element, in: &storage, policy: policy, keepsLast: keepsLast)
      if dropped != nil { storage.dropped += 1 }
      return (storage.waiting.wake(), dropped)
    }
  }

  /// Tells the consumers that a deposit woke.
  @inlinable
  func announce(_ woken: inout WaitList.Woken) {
    guard !woken.isEmpty else { return }
    woken.resume()
    storage.withLock { $0.waiting.recycle(&woken) }
  }

  /// Ends the inbox: what is in it can still be taken.
  func finish() {
    var woken = storage.withLock { storage in
      storage.isFinished = true
      return storage.waiting.wake()
    }
    woken.resume()
  }

  /// Takes the oldest element; waits for one where there is none.
  ///
  /// - Returns: `nil` once the inbox is finished and empty, or when the task is cancelled.
  @inlinable @inline(never)
  func next(isolation: isolated (any Actor)?) async -> Element? {
    while !Task.isCancelled {
      switch take() {
      case .element(let element): return element
      case .finished: return nil
      case .wait(let ticket): await wait(at: ticket, isolation: isolation)
      }
    }
    return nil
  }

  /// Takes the oldest element, if one is there.
  func takeBuffered() -> Element? {
    storage.withLock { Self.popFirst(from: &$0) }
  }

  /// Takes the oldest element, if there is one now.
  ///
  /// Consumers ask here first: it is all that draining a buffer takes.
  @inlinable
  func takeIfReady() -> Element? {
    Task.isCancelled ? nil : storage.withLock { $0.takeFirst() }
  }

  @inlinable
  func take() -> Taken {
    storage.withLock { storage in
      if let element = Self.popFirst(from: &storage) { return .element(element) }
      return storage.isFinished ? .finished : .wait(storage.waiting.reserve())
    }
  }

  @inlinable
  static func popFirst(from storage: inout Storage) -> Element? {
    guard let element = storage.elements.popFirst() else { return nil }
    if let overflow = storage.overflow.take() { storage.elements.append(overflow) }
    return element
  }

  /// Puts an element where the policy says.
  ///
  /// - Returns: The element that found no room.
  @inlinable
  static func place(
    _ element: Element, in storage: inout Storage, policy: Policy, keepsLast: Bool
  ) -> Element? {
    switch policy {
    case .unbounded:
      storage.elements.append(element)
      return nil
    case .bufferingNewest(let limit):
      storage.elements.append(element)
      return storage.elements.count > limit ? storage.elements.popFirst() : nil
    case .bufferingOldest(let limit):
      if storage.elements.count < limit {
        storage.elements.append(element)
        return nil
      }
      guard keepsLast else { return element }
      defer { storage.overflow = element }
      return storage.overflow
    @unknown default:
      storage.elements.append(element)
      return nil
    }
  }
}
