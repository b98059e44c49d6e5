/// The consumers that wait for something new: a value to be kept under a lock.
///
/// Waiting has two steps. `reserve` takes a place in the critical section that found nothing new,
/// so nothing is missed after it. `park` then stores the continuation at that place. If something
/// new or a cancellation comes between the two steps, the place is removed, and `park` returns
/// `false`.
///
/// No method resumes a continuation: the caller does so after it has released the lock.
@usableFromInline
struct WaitList {
  @usableFromInline
  typealias Continuation = UnsafeContinuation<Void, Never>

  @usableFromInline
  @safe enum Place: Sendable {
    /// A consumer found nothing new and is about to suspend.
    case reserved
    /// A consumer is suspended.
    case parked(UnsafeContinuation<Void, Never>)
    /// A consumer waits for several lists at once.
    case bell(Bell)

    /// Wakes the consumer; no lock may be held.
    @inlinable
    func wake() {
      switch self {
      case .reserved: break
      case .parked(let continuation): unsafe continuation.resume()
      case .bell(let bell): bell.ring()
      }
    }
  }

  /// Consumers taken out of the list, to be woken when the lock is released.
  @usableFromInline
  struct Woken: Sendable {
    @usableFromInline var slots: [SlotTable<Place>.Slot]

    @inlinable
    init(slots: [SlotTable<Place>.Slot] = []) {
      self.slots = slots
    }

    @inlinable var isEmpty: Bool { slots.isEmpty }

    /// Wakes the consumers in the order in which they began to wait; keeps the array's storage.
    @usableFromInline
    mutating func resume() {
      guard !slots.isEmpty else { return }
      Spawn.preemptionPoint()
      for slot in slots { slot.element?.wake() }
      slots.removeAll(keepingCapacity: true)
    }
  }

  @usableFromInline var places = SlotTable<Place>()
  @usableFromInline var spare: [SlotTable<Place>.Slot] = []

  @inlinable
  init() {}

  /// The number of consumers that wait.
  var count: Int { places.count }

  /// Takes a place for a consumer that found nothing new, and returns its ticket.
  @inlinable
  mutating func reserve() -> UInt64 {
    places.insert(.reserved)
  }

  /// Takes a place for a consumer that waits for several lists, and returns its ticket.
  mutating func reserve(for bell: Bell) -> UInt64 {
    places.insert(.bell(bell))
  }

  /// Stores a continuation; returns `false` if the place was removed and the consumer must not
  /// suspend.
  @inlinable
  mutating func park(_ continuation: Continuation, at ticket: UInt64) -> Bool {
    unsafe places.replace(ticket, with: .parked(continuation))
  }

  /// Removes and returns one consumer; `nil` if its place was removed before.
  @inlinable
  mutating func remove(_ ticket: UInt64) -> Place? {
    places.remove(ticket)
  }

  /// Removes and returns the consumer that has waited longest.
  @inlinable
  mutating func wakeFirst() -> Place? {
    places.removeFirst()
  }

  /// Removes and returns all consumers.
  @inlinable
  mutating func wake() -> Woken {
    guard !places.isEmpty else { return Woken() }
    var taken: [SlotTable<Place>.Slot] = []
    swap(&taken, &spare)
    places.removeAll(into: &taken)
    return Woken(slots: taken)
  }

  /// Keeps the storage of `woken`, so that the next consumers need no allocation.
  @inlinable
  mutating func recycle(_ woken: inout Woken) {
    if spare.capacity < woken.slots.capacity { swap(&spare, &woken.slots) }
  }
}
