/// The consumers that wait for something new, as a value to be kept under a lock.
///
/// Waiting has two steps. `reserve` takes a place in the critical section that found nothing new, so
/// no news can slip through afterwards; `park` then leaves the continuation there. Whoever comes in
/// between, with news or with a cancellation, takes the place away, and `park` says so.
///
/// No method resumes a continuation: that is for the caller, once the lock is released.
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
  }

  /// Consumers taken out of the list, to be resumed when the lock is released.
  @usableFromInline
  struct Woken: Sendable {
    @usableFromInline var slots: [SlotTable<Place>.Slot]

    @inlinable
    init(slots: [SlotTable<Place>.Slot] = []) {
      self.slots = slots
    }

    @inlinable var isEmpty: Bool { slots.isEmpty }

    /// Resumes them in the order in which they began to wait.
    ///
    /// Nobody is left in here then, only room for others.
    @usableFromInline
    mutating func resume() {
      guard !slots.isEmpty else { return }
      Spawn.preemptionPoint()
      for slot in slots {
        if case .parked(let continuation) = slot.element { unsafe continuation.resume() }
      }
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

  /// Leaves a continuation; `false` when there is no need to suspend any more.
  @inlinable
  mutating func park(_ continuation: Continuation, at ticket: UInt64) -> Bool {
    unsafe places.replace(ticket, with: .parked(continuation))
  }

  /// Takes one consumer out.
  @inlinable
  mutating func remove(_ ticket: UInt64) -> Continuation? {
    guard case .parked(let continuation) = places.remove(ticket) else { return nil }
    return unsafe continuation
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

  /// Takes the storage of consumers that were resumed back, so that the next ones need not allocate.
  @inlinable
  mutating func recycle(_ woken: inout Woken) {
    if spare.capacity < woken.slots.capacity { swap(&spare, &woken.slots) }
  }
}
