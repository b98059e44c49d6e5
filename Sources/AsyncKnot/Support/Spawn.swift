/// Starts the unstructured tasks of the package, in an exploration on the test kit's executor, which
/// such tasks would not inherit.
@usableFromInline
package enum Spawn {
  /// The executor of the running exploration; `nil` outside an exploration.
  @TaskLocal package static var executor: (any TaskExecutor)?

  /// Starts a task that inherits priority and task-local values, as `Task {}` does.
  @usableFromInline
  @discardableResult
  package static func task(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // `Task(executorPreference: nil)` would make every hop of the task look the executor up.
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }

  /// Starts a task without the caller's task-local values (F3), but for those of an exploration.
  ///
  /// One that handles what senders sent inherits all of them where a probe of the test kit sends.
  @usableFromInline
  @discardableResult
  package static func apart(
    priority: TaskPriority = Task.currentPriority, forSenders: Bool = false,
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard let executor else {
      if forSenders, isProbed { return Task(priority: priority, operation: operation) }
      return Task.detached(priority: priority, operation: operation)
    }
    let preempter = preempter
    return Task.detached(priority: priority) {
      await $executor.withValue(executor) {
        await $preempter.withValue(preempter) { await operation() }
      }
    }
  }

  /// Starts a task and runs it up to its first suspension before it returns.
  @discardableResult
  package static func immediate(
    _ operation: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    let (task, first) = held(operation)
    first.run()
    return task
  }

  /// Makes a task whose first step waits for `run()`, which does it on the calling thread.
  static func held<Success: Sendable>(
    _ operation: sending @escaping () async -> Success
  ) -> (Task<Success, Never>, FirstStep) {
    let first = FirstStep(then: executor ?? globalConcurrentExecutor)
    return (Task(executorPreference: first, operation: operation), first)
  }

  /// Whether the current task is part of an exploration.
  @usableFromInline static var isExplored: Bool { executor != nil }

  /// Whether the current task handles a message that a probe of the test kit sent: an issue that a
  /// handler records counts for the test.
  @TaskLocal package static var isProbed = false

  /// What `preemptionPoint()` calls in an exploration; no closure, because Swift 6.3 gives a task local
  /// of function type no valid metadata in optimised code.
  @TaskLocal package static var preempter: (any Preempting)?

  #if DEBUG
    /// Marks a gap between two critical sections, where an exploration may switch tasks; no lock may be
    /// held.
    @usableFromInline
    package static func preemptionPoint() { preempter?.preempt() }
  #else
    @inlinable
    package static func preemptionPoint() {}
  #endif
}

/// Runs other tasks in the middle of a synchronous step; the test kit implements it.
package protocol Preempting: Sendable {
  /// Returns when this step should continue.
  func preempt()
}
