public import Synchronization

/// A place for one object, filled once and read without a lock.
///
/// It is an `AtomicLazyReference` that the compiler sees through, and that lends its object without counting
/// the reference: a count that two threads change for each message costs more than the message. What is lent
/// lives as long as this, for nothing is ever taken out.
@usableFromInline
@safe struct OnceReference: ~Copyable, Sendable {
  @usableFromInline let object = unsafe Atomic<Unmanaged<any AnyObject & Sendable>?>(nil)

  @inlinable
  init() {}

  deinit { unsafe object.load(ordering: .acquiring)?.release() }

  /// Lends the object, where there is one and it is of this type.
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

  /// Puts an object in where there is none.
  ///
  /// - Returns: The object that is there now: the given one, or the one that was faster.
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
