internal import AsyncKnot
internal import Synchronization

/// The undo and redo history of a holder.
///
/// ```swift
/// let history = UndoHistory(of: editor, limit: 50)
/// await editor.undo(history)   // puts the state before the last commit back
/// await editor.redo(history)
/// ```
/// Each commit from now on is a step, unless the predicate says otherwise; a restore is none. A new
/// step removes the steps that could be redone. The history does not keep the holder alive.
public final class UndoHistory<Holder: Dispatcher>: Sendable {
  let steps: Mutex<UndoSteps<Holder.State>>
  private let holder: Int
  private let isStep: @Sendable (Holder.ChangeCause) -> Bool

  /// Creates a history; traps if `limit` is below 1.
  ///
  /// - Parameters:
  ///   - holder: The holder whose commits, or actions, are steps.
  ///   - limit: The number of steps to keep.
  ///   - isStep: Whether a commit is a step; by default each one is. It is called on the holder's
  ///     isolation, right after the commit, and may read the history.
  public init(
    of holder: Holder, limit: Int = 100,
    where isStep: @escaping @Sendable (Holder.ChangeCause) -> Bool = { _ in true }
  ) {
    precondition(limit >= 1, "UndoHistory(limit:): needs room for one step; got \(limit)")
    steps = Mutex(UndoSteps(limit: limit))
    self.holder = holder.desk.number
    self.isStep = isStep
    holder.desk.listen { [weak self] change in
      if let change { self?.hear(change) }
      return self != nil
    }
  }

  /// The number of steps that can be undone now; may be read from any thread.
  public var undoCount: Int { steps.withLock { $0.undoCount } }

  /// The number of steps that can be redone now; may be read from any thread.
  public var redoCount: Int { steps.withLock { $0.redoCount } }

  private func hear(_ change: Transition<Holder.ChangeCause, Holder.State>) {
    guard let cause = change.cause, isStep(cause) else { return }
    let forgotten = steps.withLock { $0.record(change.before) }
    withExtendedLifetime(forgotten) {}
  }

  func check(isOf holder: Holder, in call: String) {
    precondition(
      holder.desk.number == self.holder,
      "\(call): needs the history of this \(Holder.self); got that of another one")
  }
}

extension Dispatcher {
  /// Restores the state before the last step, on the actor, in one step.
  ///
  /// - Parameter history: The history of this actor; traps if it is that of another one.
  /// - Returns: Whether a step was undone; `false` without a step, or in a superseded or cancelled
  ///   dispatch.
  @discardableResult
  public func undo(_ history: UndoHistory<Self>) -> Bool {
    history.check(isOf: self, in: "undo(_:)")
    return restore { current in history.steps.withLock { $0.stepBack(from: current) } }
  }

  /// Restores the state that the last undo has replaced, and returns whether, as `undo(_:)` does.
  @discardableResult
  public func redo(_ history: UndoHistory<Self>) -> Bool {
    history.check(isOf: self, in: "redo(_:)")
    return restore { current in history.steps.withLock { $0.stepForth(from: current) }?.state }
  }
}
