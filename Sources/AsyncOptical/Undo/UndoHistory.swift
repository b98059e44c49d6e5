public import AsyncKnot
internal import Synchronization

/// How many steps of a history can be undone, and how many redone.
public struct UndoCounts: Sendable, Equatable {
  /// The number of steps that can be undone.
  public internal(set) var undoCount = 0
  /// The number of steps that can be redone.
  public internal(set) var redoCount = 0
}

/// The undo and redo history of a part of a holder's state.
///
/// ```swift
/// let history = UndoHistory(of: editor, restoring: \.text)
/// await editor.undo(history)   // puts the text before the last commit back, and nothing else
/// await editor.redo(history)
/// ```
/// Each commit from now on that changes the part is a step, unless the predicate says otherwise. A load, a
/// failure and a restore are none. A change that is shown before its answer is a step when it is
/// confirmed. A new step removes the steps that could be redone. The history does not keep the holder
/// alive. It is a source of its counts, for a button that is enabled while there is a step:
///
/// <!-- sample: import SwiftUI -->
/// ```swift
/// let counts = Observed(UndoHistory(of: editor, restoring: \.text))
/// Button("Undo") {}.disabled(counts.undoCount == 0)
/// ```
public final class UndoHistory<Holder: Dispatcher>: StateSource {
  /// The knot of the counts; `state` may be read from any thread.
  public let knot = Knot(UndoCounts())
  private let steps: Mutex<UndoSteps<any Sendable>>
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
      Listener(isOver: { [weak self] in self == nil }) { [weak self] _, step in
        guard let self, let step, let cause = step.cause else { return }
        let before = step.before[keyPath: part]
        guard before != step.after[keyPath: part], isStep(cause) else { return }
        change { $0.record(before) }
      })
  }

  /// Forgets all steps, for example when other rows were loaded; may be called from any thread.
  public func clear() { change { $0.clear() } }

  /// Changes the steps, and tells the counts; what the transition returns is released outside of the locks.
  @discardableResult
  func change<Result: Sendable>(
    _ transition: (inout UndoSteps<any Sendable>) -> Result
  ) -> Result {
    let result = steps.withLock { transition(&$0) }
    // Read under the knot's lock: so the counts that are written last are the newest.
    let counts = { [self] in
      steps.withLock { UndoCounts(undoCount: $0.undoCount, redoCount: $0.redoCount) }
    }
    if counts() != knot.state { knot.write(by: ObjectIdentifier(self)) { $0 = counts() } }
    return result
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
      while let other = history.change({ $0.take(direction) }) {
        if areEqual(other, part) { continue }
        history.change { $0.keep(part, for: direction.opposite) }
        return { [put = history.put] in put(other, &$1) }
      }
      return nil
    }
  }
}
