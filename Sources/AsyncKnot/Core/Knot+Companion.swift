internal import Synchronization

extension Knot {
  /// Calls a body with the one object of a type that a sibling module stores with the holder.
  ///
  /// It is made at its first use, perhaps twice; the first companion is found without a lock.
  @inlinable
  package func withCompanion<Object: AnyObject & Sendable, Result>(
    _ make: @Sendable () -> Object, _ body: (Object) -> Result
  ) -> Result {
    firstCompanion.withObject(Object.self, body) ?? body(makeCompanion(make))
  }

  @usableFromInline
  func makeCompanion<Object: AnyObject & Sendable>(_ make: @Sendable () -> Object) -> Object {
    let candidate = make()
    if let object = firstCompanion.storeIfNil(candidate) as? Object { return object }
    return otherCompanions.withLock { companions in
      for companion in companions {
        if let object = companion as? Object { return object }
      }
      companions.append(candidate)
      return candidate
    }
  }
}
