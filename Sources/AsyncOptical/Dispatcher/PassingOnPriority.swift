/// Calls `wait`, and `raise` if the priority of the current task is raised in the meantime (F2).
///
/// On Apple platforms before version 26, a task is not notified when its priority is raised, so `raise` is not called for a later
/// raise.
///
/// - Parameters:
///   - known: A priority that the current task had before its work was passed on.
///   - wait: Waits for the work. It calls its argument once the priority of the work can be raised, because the priority of the
///     task may have been raised before that.
///   - raise: Raises the priority of the work.
/// - Returns: The result of `wait`.
/// - Throws: The error of `wait`.
func passingOnPriority<Result, Failure>(
  above known: TaskPriority,
  _ wait: (_ isReady: () -> Void) async throws(Failure) -> Result,
  to raise: @escaping @Sendable (TaskPriority) -> Void
) async throws(Failure) -> Result {
  func isReady() {
    let priority = Task.currentPriority
    if priority > known { raise(priority) }
  }
  guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else {
    return try await wait(isReady)
  }
  return try await withTaskPriorityEscalationHandler { () async throws(Failure) in
    try await wait(isReady)
  } onPriorityEscalated: { _, priority in
    raise(priority)
  }
}

extension Task {
  /// Raises the priority of this task; has no effect on Apple platforms before version 26.
  func raisePriority(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
      escalatePriority(to: priority)
    }
  }
}
