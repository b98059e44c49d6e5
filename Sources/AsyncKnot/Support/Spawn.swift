/// How the package starts its unstructured tasks.
///
/// A child task inherits the task executor of its parent; an unstructured one does not. The test kit
/// controls interleavings through a task executor, so it names it here, and every unstructured task of
/// the package starts on it. Nobody else sets it: then a task starts where `Task {}` would start it.
@usableFromInline
package enum Spawn {
  /// The executor of the scenario that is being explored, if any.
  @TaskLocal package static var executor: (any TaskExecutor)?

  /// Starts an unstructured task, on the explored executor where there is one.
  @usableFromInline
  @discardableResult
  package static func task(
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // `Task(executorPreference: nil)` would make every hop of the task look the executor up.
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }

  /// Starts an unstructured task that inherits nothing but the priority: no task-local values.
  ///
  /// A task that serves several senders must not run with the values of the one that started it (F3). In
  /// an exploration the kit gives it the values of the test, and its executor.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - forSenders: Whether the task handles what others send; then it keeps the values of a probe.
  ///   - operation: What the task does.
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

  /// Starts an unstructured task whose first step, up to its first suspension, has run when this returns.
  @discardableResult
  package static func immediate(
    _ operation: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    let first = FirstStep(then: executor ?? globalConcurrentExecutor)
    let task = Task(executorPreference: first, operation: operation)
    first.run()
    return task
  }

  /// Whether the current task is part of an exploration.
  @usableFromInline static var isExplored: Bool { executor != nil }

  /// Whether the current task handles what a probe of the test kit has sent.
  ///
  /// A runner that is started there keeps the values of the test, so that an issue that is recorded in a
  /// handler counts for it.
  @TaskLocal package static var isProbed = false

  /// Who is told where a thread may be preempted in synchronous code, when this package is explored.
  ///
  /// Not a closure: Swift 6.3 gives a task local of function type no valid metadata in optimised code.
  @TaskLocal package static var preempter: (any Preempting)?

  #if DEBUG
    /// A gap between two critical sections; in release builds, nothing.
    ///
    /// An exploration changes tasks where they suspend. Here it may do so in the middle of a step, so
    /// it must be called without any lock held.
    @usableFromInline
    package static func preemptionPoint() { preempter?.preempt() }
  #else
    @inlinable
    package static func preemptionPoint() {}
  #endif
}

/// Something that runs other tasks in the middle of a synchronous step.
package protocol Preempting: Sendable {
  func preempt()
}
