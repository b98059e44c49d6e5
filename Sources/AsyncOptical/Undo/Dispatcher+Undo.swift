internal import AsyncKnot

extension Dispatcher {
  /// Restores the state before the last step.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to undo; a dispatch that was superseded or cancelled undoes none.
  @discardableResult
  public func undo(_ history: UndoHistory<Self>) -> Bool {
    guard mayWrite else { return false }
    return putBack(history.stepBack(from: knot.state))
  }

  /// Restores the state that the last undo left.
  ///
  /// - Parameter history: Where the steps are.
  /// - Returns: Whether there was a step to redo; a dispatch that was superseded or cancelled redoes none.
  @discardableResult
  public func redo(_ history: UndoHistory<Self>) -> Bool {
    guard mayWrite else { return false }
    return putBack(history.stepForth(from: knot.state))
  }

  private func putBack(_ state: State?) -> Bool {
    guard let state else { return false }
    restore(state)
    return true
  }
}
