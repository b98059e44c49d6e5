internal import AsyncKnot

extension Dispatcher {
  /// Restores the state before the last step, on the actor, in one step.
  ///
  /// - Parameter history: The history of this actor; traps if it is that of another one.
  /// - Returns: Whether a step was undone; `false` without a step, or in a superseded or cancelled
  ///   dispatch.
  @discardableResult
  public func undo(_ history: UndoHistory<Self>) -> Bool {
    history.check(isOf: self, in: "undo(_:)")
    return restore { history.stepBack(from: $0) }
  }

  /// Restores the state that the last undo has replaced, on the actor, in one step.
  ///
  /// - Parameter history: The history of this actor; traps if it is that of another one.
  /// - Returns: Whether a step was redone; `false` without a step, or in a superseded or cancelled
  ///   dispatch.
  @discardableResult
  public func redo(_ history: UndoHistory<Self>) -> Bool {
    history.check(isOf: self, in: "redo(_:)")
    return restore { history.stepForth(from: $0) }
  }
}
