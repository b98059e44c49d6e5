public import Synchronization

/// Stores one object, which is set once and then read without a lock.
///
/// Unlike `AtomicLazyReference`, this type inlines its methods and does not retain the object on each use. If two threads
/// retained the same object for each message, retaining it would take longer than handling the message.
@usableFromInline
@safe struct OnceReference: ~Copyable, Sendable {
  @usableFromInline let object = unsafe Atomic<Unmanaged<any AnyObject & Sendable>?>(nil)

  @inlinable init() {}

  deinit { unsafe object.load(ordering: .acquiring)?.release() }

  /// Calls `body` with the object, or returns `nil` if no object of exactly this type is stored.
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

  /// Stores the candidate unless an object is already stored.
  ///
  /// Returns the stored object.
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

/// A weak reference that can be sent to another isolation.
@usableFromInline
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  @usableFromInline package weak let object: Object?

  @inlinable package init(_ object: Object?) { self.object = object }
}
