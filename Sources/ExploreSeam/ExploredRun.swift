/// The run of an exploration, as the libraries of this package see it.
///
/// The test kit implements this protocol.
///
/// The libraries and the kit do not depend on each other; they only share this protocol.
package protocol ExploredRun: TaskExecutor {
  /// Lets other tasks of the run interrupt synchronous code; returns when the code should continue.
  func preempt()
}

/// The current task's access to an exploration.
package enum Exploring {
  /// The run that the current task belongs to; `nil` outside an exploration.
  @TaskLocal package static var run: (any ExploredRun)?
}
