/// A weak reference that may be sent to another isolation.
@usableFromInline
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  /// The object; `nil` once it is gone.
  @usableFromInline package weak let object: Object?

  /// Creates a weak reference.
  ///
  /// - Parameter object: The object.
  @inlinable
  package init(_ object: Object?) { self.object = object }
}
