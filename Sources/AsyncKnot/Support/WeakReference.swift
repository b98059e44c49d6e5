/// A weak reference that may be sent to another isolation.
@usableFromInline
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  @usableFromInline package weak let object: Object?

  @inlinable
  package init(_ object: Object?) { self.object = object }
}
