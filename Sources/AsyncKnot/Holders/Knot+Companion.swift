/// What sibling modules keep with a holder.
extension Knot {
  /// Lends the one object of its type that is kept with the holder, made at its first use.
  ///
  /// Only holders ask for it. The first type that is asked for is found without a lock.
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
