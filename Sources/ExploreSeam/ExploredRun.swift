/// The run of an exploration, as the libraries of this package see it; the test kit implements it.
///
/// The libraries do not use the kit, nor does the kit use them: this is all that both know.
package protocol ExploredRun: TaskExecutor {
  /// Lets other tasks of the run come in the middle of a synchronous step; returns when the step should
  /// continue.
  func preempt()
}

/// What the current task knows of an exploration.
package enum Exploring {
  /// The run that the current task belongs to; `nil` outside an exploration.
  @TaskLocal package static var run: (any ExploredRun)?
}
