internal import AsyncKnot
internal import Synchronization

/// The states to go back and forth between: undo and redo.
///
/// ```swift
/// let history = UndoHistory(of: editor, limit: 50)
/// await editor.undo(history)   // puts the state before the last commit back
/// await editor.redo(history)
/// ```
/// Each commit since the history was made is a step, unless the predicate says otherwise. A restore is not
/// a step. A new step forgets what could be redone. The history keeps its last `limit` steps, however
/// many commits are no steps. It does not keep the holder alive.
///
/// A holder that stores one writes `UndoHistory<Editor>`.
public final class UndoHistory<Holder: Dispatcher>: Sendable {
  private let steps: Mutex<UndoSteps<Holder.State>>
  private let listeners: TransitionListeners<Holder.ChangeCause, Holder.State>
  private let isStep: @Sendable (Holder.ChangeCause) -> Bool
  private let ticket: Int

  /// Begins a history.
  ///
  /// - Parameters:
  ///   - holder: Whose commits, or actions, are steps.
  ///   - limit: How many steps to keep; at least 1.
  ///   - isStep: Whether a commit is a step of its own; by default each one is. It is called on the
  ///     holder's isolation, right after the commit, and may read the history.
  public init(
    of holder: Holder, limit: Int = 100,
    where isStep: @escaping @Sendable (Holder.ChangeCause) -> Bool = { _ in true }
  ) {
    precondition(limit >= 1, "UndoHistory(limit:): needs room for one step; got \(limit)")
    steps = Mutex(UndoSteps(limit: limit))
    listeners = holder.desk.listeners
    self.isStep = isStep
    ticket = listeners.reserve()
    listeners.add(ticket) { [weak self] transition in self?.hear(transition) }
  }

  deinit { listeners.remove(ticket) }

  /// How many steps can be undone now.
  public var undoCount: Int { steps.withLock { $0.undoCount } }

  /// How many steps can be redone now.
  public var redoCount: Int { steps.withLock { $0.redoCount } }

  private func hear(_ transition: Transition<Holder.ChangeCause, Holder.State>) {
    guard !transition.cause.isRestored, isStep(transition.cause) else { return }
    let forgotten = steps.withLock { $0.record(transition.before) }
    withExtendedLifetime(forgotten) {}
  }

  /// The state to go back to; to be called on the holder's isolation, so that `current` is the newest.
  func stepBack(from current: Holder.State) -> Holder.State? {
    steps.withLock { $0.stepBack(from: current) }
  }

  /// The state to go forth to; to be called on the holder's isolation, so that `current` is the newest.
  func stepForth(from current: Holder.State) -> Holder.State? {
    steps.withLock { $0.stepForth(from: current) }?.state
  }
}
