/// A reference that may cross isolations and keeps nothing alive.
@usableFromInline
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  /// The object, while somebody else keeps it.
  @usableFromInline package weak let object: Object?

  @inlinable
  package init(_ object: Object?) { self.object = object }
}
