public import AsyncKnot

extension Desk {
  /// Whether the current task may write: it belongs to no superseded or cancelled dispatch of this
  /// holder.
  @inlinable var mayWrite: Bool {
    guard let dispatch = Dispatch.current, dispatch.isRevoked else { return true }
    return dispatch.runner.mailbox != mailbox.id
  }

  /// Whether the current task may commit: it may write, and it is not cancelled itself.
  @inlinable var mayCommit: Bool { !Task.isCancelled && mayWrite }
}
