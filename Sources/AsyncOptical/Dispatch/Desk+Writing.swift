public import AsyncKnot

extension Desk {
  /// Whether the current task may write: it belongs to no dispatch of this holder that was revoked.
  @inlinable var mayWrite: Bool {
    guard let dispatch = Dispatch.current, dispatch.isRevoked else { return true }
    return dispatch.runner.mailbox != mailbox.id
  }

  /// Whether the current task may commit: it may write, and is not cancelled itself.
  @inlinable var mayCommit: Bool { !Task.isCancelled && mayWrite }
}

extension Dispatcher {
  /// Whether the current task may write: it belongs to no dispatch of this actor that was revoked.
  var mayWrite: Bool { desk.mayWrite }
}
