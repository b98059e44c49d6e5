/// Calls `wait`; if the priority of the current task is raised in the meantime, also calls `raise` (F2).
///
/// On Apple's systems before version 26, a task is not notified, and `raise` is never called.
func passingOnPriority<Result, Failure>(
  _ wait: () async throws(Failure) -> Result, to raise: @escaping @Sendable (TaskPriority) -> Void
) async throws(Failure) -> Result {
  guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else {
    return try await wait()
  }
  return try await withTaskPriorityEscalationHandler(operation: wait) { _, priority in
    raise(priority)
  }
}

extension Task {
  /// Raises the priority of this task; has no effect on Apple's systems before version 26.
  func raisePriority(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
      escalatePriority(to: priority)
    }
  }
}
