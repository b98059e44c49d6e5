/// Companions: objects that sibling modules store with a holder.
extension Knot {
  /// Calls a body with the holder's one object of a type; makes the object at its first use.
  ///
  /// Only holders call this. The first companion is found without a lock, the others under the
  /// knot's lock.
  ///
  /// - Parameters:
  ///   - make: Makes the object. It may be called without its result being used.
  ///   - body: Called with the object.
  /// - Returns: What the body returned.
  @inlinable
  package func withCompanion<Object: AnyObject & Sendable, Result>(
    _ make: @Sendable () -> Object, _ body: (Object) -> Result
  ) -> Result {
    firstCompanion.withObject(Object.self, body) ?? body(makeCompanion(make))
  }

  @usableFromInline
  func makeCompanion<Object: AnyObject & Sendable>(_ make: @Sendable () -> Object) -> Object {
    let candidate = make()
    let first = firstCompanion.storeIfNil(candidate)
    if let object = first as? Object { return object }
    return core.withStorage { storage in
      for companion in storage.companions {
        if let object = companion as? Object { return object }
      }
      storage.companions.append(candidate)
      return candidate
    }
  }
}
