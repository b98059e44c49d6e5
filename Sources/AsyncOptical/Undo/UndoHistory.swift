internal import AsyncKnot
internal import Synchronization

/// The undo and redo history of a holder.
///
/// ```swift
/// let history = UndoHistory(of: editor, limit: 50)
/// await editor.undo(history)   // puts the state before the last commit back
/// await editor.redo(history)
/// ```
/// Each commit since the creation of the history is a step, unless the predicate says otherwise. A
/// restore is not a step. A new step removes the steps that could be redone. The history keeps its
/// last `limit` steps, however many other commits there are. It does not keep the holder alive.
///
/// To store a history in a property, write its type as `UndoHistory<Editor>`.
public final class UndoHistory<Holder: Dispatcher>: Sendable {
  private let steps: Mutex<UndoSteps<Holder.State>>
  private let listeners: TransitionListeners<Holder.ChangeCause, Holder.State>
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
    listeners = holder.desk.listeners
    self.isStep = isStep
    listeners.add { [weak self] record in
      guard let self else { return false }
      if case .transition(let transition) = record { hear(transition) }
      return true
    }
  }

  /// The number of steps that can be undone now; may be read from any thread.
  public var undoCount: Int { steps.withLock { $0.undoCount } }

  /// The number of steps that can be redone now; may be read from any thread.
  public var redoCount: Int { steps.withLock { $0.redoCount } }

  private func hear(_ transition: Transition<Holder.ChangeCause, Holder.State>) {
    guard !transition.cause.isRestored, isStep(transition.cause) else { return }
    let forgotten = steps.withLock { $0.record(transition.before) }
    withExtendedLifetime(forgotten) {}
  }

  /// Traps if this is not the history of a holder.
  func check(isOf holder: Holder, in call: String) {
    precondition(
      holder.desk.listeners === listeners,
      "\(call): needs the history of this \(Holder.self); got that of another one")
  }

  /// The state before the last step; to be called on the holder's isolation, so that `current` is
  /// the newest.
  func stepBack(from current: Holder.State) -> Holder.State? {
    steps.withLock { $0.stepBack(from: current) }
  }

  /// The state of the next step to redo; to be called on the holder's isolation, so that `current`
  /// is the newest.
  func stepForth(from current: Holder.State) -> Holder.State? {
    steps.withLock { $0.stepForth(from: current) }?.state
  }
}
