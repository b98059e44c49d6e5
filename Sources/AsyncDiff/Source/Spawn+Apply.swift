import AsyncKnot

extension Spawn {
  /// Starts an unstructured task with at least a certain priority.
  @discardableResult
  static func task(
    priority: TaskPriority, _ operation: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    guard priority > Task.currentPriority else { return task(operation) }
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }

  /// Starts a task on the isolation of its closure, which is the caller's.
  ///
  /// If the system can, the task runs at once, up to its first suspension.
  @discardableResult
  static func taskAtOnce(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return task(operation)
    }
    guard let executor else { return Task.immediate(operation: operation) }
    return Task.immediate(executorPreference: executor, operation: operation)
  }

  /// Starts a task that finds a value.
  static func value<Value: Sendable>(
    _ operation: sending @escaping () async -> Value
  ) -> Task<Value, Never> {
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }
}
