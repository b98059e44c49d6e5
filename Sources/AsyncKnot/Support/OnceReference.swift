public import Synchronization

/// A place for one object, filled once and read without a lock.
///
/// It is an `AtomicLazyReference` that the compiler sees through: that one's `load` is a call into a library that
/// is not specialised for the object, and costs 30 ns; this one is a load and a retain.
@usableFromInline
@safe struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let object = unsafe Atomic<Unmanaged<Object>?>(nil)

  @inlinable
  init() {}

  deinit { unsafe object.load(ordering: .acquiring)?.release() }

  /// The object, once there is one.
  @inlinable
  func load() -> Object? { unsafe object.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Puts an object in where there is none.
  ///
  /// - Returns: The object that is there now: the given one, or the one that was faster.
  func storeIfNil(_ candidate: Object) -> Object {
    let retained = unsafe Unmanaged.passRetained(candidate)
    let (exchanged, original) = unsafe object.compareExchange(
      expected: nil, desired: retained, ordering: .acquiringAndReleasing)
    if exchanged { return candidate }
    unsafe retained.release()
    return unsafe original?.takeUnretainedValue() ?? candidate
  }
}
