import Synchronization

/// Removals, which a reducer may cause: it may cancel tasks, end observations, and drop iterators,
/// of its own holder and of others.
extension KnotCore {
  /// Takes something out of the storage and releases it outside the lock; never waits for a
  /// reducer.
  ///
  /// The caller may be in a reducer of this holder, which has the lock, or in a reducer of another
  /// holder that this holder's reducer waits for. So if a reducer runs, a task takes it out when
  /// the reducer has returned.
  ///
  /// - Parameter take: Takes it out of the storage.
  func remove<Removed: Sendable>(
    _ take: @escaping @Sendable (inout KnotStorage<State>) -> Removed?
  ) {
    // A caller in a reducer has noted that. Of two that look at each other's holder one finds the
    // other's note, and does not wait for the lock.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    for _ in 0..<Self.attempts {
      if let removed = attempt({ take(&$0) }) { return withExtendedLifetime(removed) {} }
    }
    Spawn.apart { [self] in
      let removed = withStorage { take(&$0) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Removes the place of a consumer and wakes it.
  ///
  /// While a reducer runs this does nothing: the end of every reducer wakes all consumers that
  /// waited when it began.
  @usableFromInline
  func withdraw(_ ticket: UInt64) {
    if reducer.isRunning { return }
    withStorage { $0.waiting.remove(ticket) }?.wake()
  }
}
