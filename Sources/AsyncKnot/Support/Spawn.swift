internal import ExploreSeam
internal import Synchronization

/// Starts the unstructured tasks of the package.
///
/// In an exploration these tasks run on the test kit's executor, which unstructured tasks do not inherit by themselves.
@usableFromInline
package enum Spawn {
  /// The executor of the running exploration; `nil` outside an exploration.
  package static var executor: (any TaskExecutor)? { Exploring.run }

  /// Starts a task that inherits priority and task-local values, as `Task {}` does.
  @usableFromInline @discardableResult
  package static func task<Success: Sendable>(
    priority: TaskPriority? = nil,
    _ operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    // With `Task(executorPreference: nil)` every hop of the task would look up the executor.
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }

  /// Starts a task that inherits no task-local values (F3) except the run of an exploration.
  ///
  /// Pass `forSenders: true` for a task that handles messages. If a probe of the test kit is sending the message outside an
  /// exploration, the task inherits all task-local values.
  @usableFromInline @discardableResult
  package static func apart(
    priority: TaskPriority = Task.currentPriority, forSenders: Bool = false,
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard let run = Exploring.run else {
      if forSenders, isProbed { return Task(priority: priority, operation: operation) }
      return Task.detached(priority: priority, operation: operation)
    }
    return Task.detached(priority: priority) {
      await Exploring.$run.withValue(run) { await operation() }
    }
  }

  /// Creates a task whose first step waits until the caller executes it with `run()`.
  static func held<Success: Sendable>(
    _ operation: sending @escaping () async -> Success
  ) -> (Task<Success, Never>, FirstStep) {
    let first = FirstStep(then: executor ?? globalConcurrentExecutor)
    return (Task(executorPreference: first, operation: operation), first)
  }

  /// Whether the current task is part of an exploration.
  @usableFromInline static var isExplored: Bool { Exploring.run != nil }

  /// Whether a probe of the test kit is sending a message, or the current task handles a message that a probe sent.
  ///
  /// Outside an exploration, the task that handles the message then inherits all task-local values, so an issue that it records
  /// belongs to the test.
  @TaskLocal package static var isProbed = false

  #if DEBUG
    /// Marks a point between two critical sections at which an exploration may switch tasks.
    ///
    /// In a reducer, which holds its knot's lock, this method does nothing, because other tasks would only wait for that lock.
    @usableFromInline
    package static func preemptionPoint() { if !Reducer.isRunning { Exploring.run?.preempt() } }
  #else
    @inlinable package static func preemptionPoint() {}
  #endif
}

/// A task executor that runs a task's first step on the calling thread, like `Task.immediate` on newer systems.
final class FirstStep: TaskExecutor {
  private enum Phase {
    case starting
    /// The first job has arrived and waits for `run()`.
    case ready(UnownedJob)
    /// The first job was run; later jobs are forwarded to `rest`.
    case passing
  }

  private let phase = Mutex(Phase.starting)
  private let rest: any TaskExecutor

  init(then rest: any TaskExecutor) { self.rest = rest }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = phase.withLock { phase in
      guard case .starting = phase else { return false }
      phase = .ready(job)
      return true
    }
    if !isFirst { rest.enqueue(job) }
  }

  /// Runs the task up to its first suspension, on the calling thread.
  func run() {
    let job = phase.withLock { phase -> UnownedJob? in
      defer { phase = .passing }
      guard case .ready(let job) = phase else { return nil }
      return job
    }
    if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
