/// What the sibling modules and the test kit need of a knot.
extension Knot {
  /// Mutates the state in place and tells the observers; for holders without hooks, on their isolation.
  ///
  /// - Parameter body: The reducer.
  /// - Returns: What the reducer returns.
  @inlinable
  @discardableResult
  package func write<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    core.write(by: nil, body).0
  }

  /// How many states were accepted so far, the initial one included.
  package var version: UInt64 { core.withStorage { $0.version } }

  /// How many observers are registered: the buffering ones, those that wait now, and handlers.
  package var observerCount: Int { observerCounter() }

  /// Counts the registered observers, also after the knot is gone, which it does not keep alive.
  package var observerCounter: @Sendable () -> Int {
    { [core] in core.withStorage { $0.waiting.count + $0.inboxes.count + $0.handlers.count } }
  }

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
    let first = firstCompanion.storeIfNil(make())
    if let object = first as? Object { return object }
    return core.withStorage { storage in
      for companion in storage.companions {
        if let object = companion as? Object { return object }
      }
      let object = make()
      storage.companions.append(object)
      return object
    }
  }
}
