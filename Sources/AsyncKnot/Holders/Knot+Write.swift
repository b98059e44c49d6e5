/// Writing for holders of the sibling modules, and the counts that probes ask for.
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
}
