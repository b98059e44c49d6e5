internal import AsyncKnot
internal import Synchronization

/// The undo and redo history of a part of a holder's state.
///
/// ```swift
/// let history = UndoHistory(of: editor, restoring: \.text)
/// await editor.undo(history)   // puts the text before the last commit back, and nothing else
/// await editor.redo(history)
/// ```
/// Each commit from now on that changes the part is a step, unless the predicate says otherwise; a
/// restore is none. A change that is shown before its answer is a step when it is confirmed. A new
/// step removes the steps that could be redone. The history does not keep the holder alive.
public final class UndoHistory<Holder: Dispatcher>: Sendable {
  let steps: Mutex<UndoSteps<any Sendable>>
  let part: @Sendable (Holder.State) -> any Sendable
  /// Puts a part into a state; returns the one that was there.
  let put: @Sendable (any Sendable, inout Holder.State) -> any Sendable
  private let holder: Int

  /// Creates a history; traps if `limit` is below 1.
  ///
  /// With `\.self` it restores the whole state, and what the user did not do, too: if a load begins,
  /// the user adds a row, and the load ends, an undo takes the loaded rows away.
  /// At most `limit` steps are kept. `isStep` says whether a commit that changes the part is a step; it is
  /// called on the holder's isolation, right after the commit, and may read the history.
  public init<Part: Sendable & Equatable>(
    of holder: Holder, restoring part: any WritableKeyPath<Holder.State, Part> & Sendable,
    limit: Int = 100,
    where isStep: @escaping @Sendable (Holder.ChangeCause) -> Bool = { _ in true }
  ) {
    precondition(limit >= 1, "UndoHistory(limit:): needs room for one step; got \(limit)")
    steps = Mutex(UndoSteps(limit: limit))
    self.holder = holder.desk.number
    self.part = { $0[keyPath: part] }
    put = { other, state in
      let old = state[keyPath: part]
      if let other = other as? Part { state[keyPath: part] = other }
      return old
    }
    holder.desk.listen(
      Listener(isOver: { [weak self] in self == nil }) { [weak self] _, change in
        guard let self, let change, let cause = change.cause else { return }
        let before = change.before[keyPath: part]
        guard before != change.after[keyPath: part], isStep(cause) else { return }
        let forgotten = steps.withLock { $0.record(before) }
        withExtendedLifetime(forgotten) {}
      })
  }

  /// The number of steps that can be undone now; may be read from any thread.
  public var undoCount: Int { steps.withLock { $0.undoCount } }

  /// The number of steps that can be redone now; may be read from any thread.
  public var redoCount: Int { steps.withLock { $0.redoCount } }

  /// Forgets all steps, for example when other rows were loaded; may be called from any thread.
  public func clear() {
    let forgotten = steps.withLock { $0.clear() }
    withExtendedLifetime(forgotten) {}
  }

  func check(isOf holder: Holder, in call: String) {
    precondition(
      holder.desk.number == self.holder,
      "\(call): needs the history of this \(Holder.self); got that of another one")
  }
}

extension Dispatcher {
  /// Restores the part of the state before the last step that has changed it, on the actor, in one
  /// step; all else stays as it is.
  ///
  /// Traps if the history is that of another actor.
  ///
  /// - Returns: Whether a step was undone; not in a superseded or cancelled dispatch.
  @discardableResult
  public func undo(_ history: UndoHistory<Self>) -> Bool { restore(.back, history, in: "undo(_:)") }

  /// Restores the part that the last undo has replaced, and returns whether, as `undo(_:)` does.
  @discardableResult
  public func redo(_ history: UndoHistory<Self>) -> Bool {
    restore(.forth, history, in: "redo(_:)")
  }

  private func restore(
    _ direction: UndoDirection, _ history: UndoHistory<Self>, in call: String
  ) -> Bool {
    history.check(isOf: self, in: call)
    return restore { confirmed in
      let part = history.part(confirmed())
      while let other = history.steps.withLock({ $0.take(direction) }) {
        if areEqual(other, part) { continue }
        let forgotten = history.steps.withLock { $0.keep(part, for: direction.opposite) }
        return withExtendedLifetime(forgotten) { { [put = history.put] in put(other, &$1) } }
      }
      return nil
    }
  }
}
