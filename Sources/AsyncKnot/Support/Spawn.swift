/// Starts the unstructured tasks of the package.
///
/// A child task inherits its parent's task executor; an unstructured task does not. The test kit
/// controls interleavings through a task executor. The kit sets `executor`, and every unstructured
/// task of the package starts on that executor. Outside the test kit `executor` is `nil`, and a
/// task starts where `Task {}` would start it.
@usableFromInline
package enum Spawn {
  /// The executor of the running exploration; `nil` outside an exploration.
  @TaskLocal package static var executor: (any TaskExecutor)?

  /// Starts an unstructured task, on the explored executor if there is one.
  ///
  /// The task inherits priority and task-local values, as `Task {}` does.
  ///
  /// - Parameter operation: The work; its isolation is that of the closure.
  /// - Returns: The task.
  @usableFromInline
  @discardableResult
  package static func task(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // `Task(executorPreference: nil)` would make every hop of the task look the executor up.
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }

  /// Starts an unstructured task without the caller's task-local values.
  ///
  /// A task that serves several senders must not run with the task-local values of the sender that
  /// started it (F3). In an exploration the task gets the kit's executor and preempter, and no
  /// other value.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; by default the caller's.
  ///   - forSenders: Whether the task handles what senders sent. Such a task inherits all values
  ///     where a probe of the test kit is the sender.
  ///   - operation: The work; its isolation is that of the closure.
  /// - Returns: The task.
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

  /// Starts an unstructured task and runs its first step, up to its first suspension, before it
  /// returns.
  ///
  /// - Parameter operation: The work; it runs on no actor.
  /// - Returns: The task.
  @discardableResult
  package static func immediate(
    _ operation: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    let (task, first) = held(operation)
    first.run()
    return task
  }

  /// Makes an unstructured task whose first step waits for `run()`, which does it on the calling
  /// thread.
  static func held<Success: Sendable>(
    _ operation: sending @escaping () async -> Success
  ) -> (Task<Success, Never>, FirstStep) {
    let first = FirstStep(then: executor ?? globalConcurrentExecutor)
    return (Task(executorPreference: first, operation: operation), first)
  }

  /// Whether the current task is part of an exploration.
  @usableFromInline static var isExplored: Bool { executor != nil }

  /// Whether the current task handles a message that a probe of the test kit sent.
  ///
  /// A runner that is started in such a task keeps the values of the test, so that an issue that a
  /// handler records counts for the test.
  @TaskLocal package static var isProbed = false

  /// The test kit's object that `preemptionPoint()` calls in an exploration.
  ///
  /// It is no closure, because Swift 6.3 gives a task local of function type no valid metadata in
  /// optimised code.
  @TaskLocal package static var preempter: (any Preempting)?

  #if DEBUG
    /// Marks a gap between two critical sections; does nothing in release builds.
    ///
    /// An exploration switches tasks where they suspend. At this call it may also switch in the
    /// middle of a synchronous step, so no lock may be held here.
    @usableFromInline
    package static func preemptionPoint() { preempter?.preempt() }
  #else
    @inlinable
    package static func preemptionPoint() {}
  #endif
}

/// Runs other tasks in the middle of a synchronous step; the test kit implements it.
package protocol Preempting: Sendable {
  /// Runs other tasks, if the schedule says so, and returns when this step should continue.
  func preempt()
}
