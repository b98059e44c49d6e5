/// The consumers that wait for something new, as a value to be kept under a lock.
///
/// Waiting has two steps. `reserve` takes a place in the critical section that found nothing new, so
/// no news can slip through afterwards; `park` then leaves the continuation there. If news or a
/// cancellation comes in between, the place is taken away, and `park` returns `false`.
///
/// No method resumes a continuation: the caller does that after it has released the lock.
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

    /// Wakes the consumer; to be called without any lock.
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

    /// Wakes them in the order in which they began to wait, and keeps only the storage.
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

  /// How many consumers wait.
  var count: Int { places.count }

  /// Takes a place for a consumer that found nothing new.
  @inlinable
  mutating func reserve() -> UInt64 {
    places.insert(.reserved)
  }

  /// Takes a place for a consumer that waits for other lists, too.
  mutating func reserve(for bell: Bell) -> UInt64 {
    places.insert(.bell(bell))
  }

  /// Leaves a continuation; `false` when there is no need to suspend any more.
  @inlinable
  mutating func park(_ continuation: Continuation, at ticket: UInt64) -> Bool {
    unsafe places.replace(ticket, with: .parked(continuation))
  }

  /// Takes one consumer out.
  @inlinable
  mutating func remove(_ ticket: UInt64) -> Place? {
    places.remove(ticket)
  }

  /// Takes the consumer out that has waited longest.
  @inlinable
  mutating func wakeFirst() -> Place? {
    places.removeFirst()
  }

  /// Takes all consumers out.
  @inlinable
  mutating func wake() -> Woken {
    guard !places.isEmpty else { return Woken() }
    var taken: [SlotTable<Place>.Slot] = []
    swap(&taken, &spare)
    places.removeAll(into: &taken)
    return Woken(slots: taken)
  }

  /// Keeps the storage of consumers that were woken, so that the next ones need not allocate.
  @inlinable
  mutating func recycle(_ woken: inout Woken) {
    if spare.capacity < woken.slots.capacity { swap(&spare, &woken.slots) }
  }
}
