public import AsyncKnot

extension Opticle {
  /// Restores the state before the last step.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to undo.
  @discardableResult
  public func undo(_ history: UndoHistory<CommitCause<Request, Response>, State>) -> Bool {
    putBack(history.stepBack(from: knot.state))
  }

  /// Restores the state that the last undo left.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to redo.
  @discardableResult
  public func redo(_ history: UndoHistory<CommitCause<Request, Response>, State>) -> Bool {
    putBack(history.stepForth(from: knot.state))
  }

  private func putBack(_ state: State?) -> Bool {
    state.map(restore)
    return state != nil
  }
}

extension ViewBindable {
  /// Restores the state before the last step.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to undo.
  @discardableResult
  public func undo(_ history: UndoHistory<ActionCause<Action>, State>) -> Bool {
    putBack(history.stepBack(from: knot.state))
  }

  /// Restores the state that the last undo left.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to redo.
  @discardableResult
  public func redo(_ history: UndoHistory<ActionCause<Action>, State>) -> Bool {
    putBack(history.stepForth(from: knot.state))
  }

  private func putBack(_ state: State?) -> Bool {
    state.map(restore)
    return state != nil
  }
}
