public import Synchronization

/// Holds one object: set once, then read without a lock.
///
/// It differs from `AtomicLazyReference` in two ways: the compiler can inline it, and `withObject`
/// does not retain the object. Two threads that change one reference count for each message would
/// spend more time on the count than on the message. The object is never taken out, so it lives as
/// long as this value.
@usableFromInline
@safe struct OnceReference: ~Copyable, Sendable {
  @usableFromInline let object = unsafe Atomic<Unmanaged<any AnyObject & Sendable>?>(nil)

  @inlinable
  init() {}

  deinit { unsafe object.load(ordering: .acquiring)?.release() }

  /// Calls a body with the object, if there is one and its dynamic type is `type`.
  ///
  /// - Returns: What the body returned; `nil` if there is no object, or one of another type.
  @inlinable
  func withObject<Object: AnyObject, Result>(
    _ type: Object.Type, _ body: (Object) -> Result
  ) -> Result? {
    guard let reference = unsafe object.load(ordering: .acquiring) else { return nil }
    return unsafe reference._withUnsafeGuaranteedRef { object in
      guard Swift.type(of: object) == type else { return nil }
      return body(unsafe unsafeDowncast(object, to: type))
    }
  }

  /// Stores an object if there is none yet.
  ///
  /// - Parameter candidate: The object to store.
  /// - Returns: The stored object: the candidate, or the one that was stored before.
  func storeIfNil(_ candidate: any AnyObject & Sendable) -> any AnyObject & Sendable {
    Spawn.preemptionPoint()
    let retained = unsafe Unmanaged.passRetained(candidate)
    let (exchanged, original) = unsafe object.compareExchange(
      expected: nil, desired: retained, ordering: .acquiringAndReleasing)
    if exchanged { return candidate }
    unsafe retained.release()
    return unsafe original?.takeUnretainedValue() ?? candidate
  }
}
