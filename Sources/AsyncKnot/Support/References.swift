public import Synchronization

/// Holds one object: set once, then read without a lock.
///
/// Unlike `AtomicLazyReference` it is inlined, and does not retain the object for each use: two threads
/// that change one reference count for each message spend more time on it than on the message.
@usableFromInline
@safe struct OnceReference: ~Copyable, Sendable {
  @usableFromInline let object = unsafe Atomic<Unmanaged<any AnyObject & Sendable>?>(nil)

  @inlinable init() {}

  deinit { unsafe object.load(ordering: .acquiring)?.release() }

  /// Calls a body with the object, if there is one and its dynamic type is `type`.
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

  /// Stores an object if there is none yet; returns the stored one.
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

/// A weak reference that may be sent to another isolation.
@usableFromInline
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  @usableFromInline package weak let object: Object?

  @inlinable package init(_ object: Object?) { self.object = object }
}
