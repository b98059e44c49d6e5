public import AsyncKnot
internal import Synchronization

/// The numbers of steps of a history that can be undone and redone.
public struct UndoCounts: Sendable, Equatable {
  /// The number of steps that can be undone.
  public internal(set) var undoCount = 0
  /// The number of steps that can be redone.
  public internal(set) var redoCount = 0
}

/// The undo and redo history of one part of a holder's state.
///
/// ```swift
/// let history = UndoHistory(of: editor, restoring: \.text)
/// await editor.undo(history)   // restores only the text, as it was before the last step
/// await editor.redo(history)
/// ```
/// Each commit that changes the part after the history was created is a step, unless the predicate returns `false`. A load, a
/// failure and a restore are not steps. A pending change becomes a step when it is confirmed. A new step removes the steps that
/// could be redone. The history does not keep the holder alive. Its state contains the counts, so a button can be disabled while
/// there is nothing to undo. Keep a reference to the history, because an `Observed` does not keep it alive:
///
/// <!-- sample: import SwiftUI -->
/// ```swift
/// let counts = Observed(history)
/// Button("Undo") {}.disabled(counts.undoCount == 0)
/// ```
public final class UndoHistory<Holder: Dispatcher>: StateSource {
  private typealias Step = Transition<Holder.ChangeCause, Holder.State>

  /// The knot of the counts.
  ///
  /// You can read `state` from any thread.
  public let knot = Knot(UndoCounts())
  private let steps: Mutex<UndoSteps<any Sendable>>
  /// The transitions that are not yet judged, because a trace handler or the predicate is running.
  private let unjudged = Mutex(SerialQueue<Step>())
  /// Returns the part before a transition that is a step; `nil` if the transition is not a step.
  private let step: @Sendable (Step) -> (any Sendable)?
  let part: @Sendable (Holder.State) -> any Sendable
  /// Replaces the part in a state and returns the old part.
  let put: @Sendable (any Sendable, inout Holder.State) -> any Sendable
  private let holder: Int

  /// Creates a history of one part of a holder's state.
  ///
  /// Traps if `limit` is less than 1.
  ///
  /// With `\.self` the history restores the whole state, including changes that the user did not make. For example, if a load
  /// begins, the user adds a row, and the load ends, an undo also removes the loaded rows.
  ///
  /// - Parameters:
  ///   - holder: The opticle or binder, which the history does not keep alive.
  ///   - part: The part of the state that an undo restores.
  ///   - limit: The maximum number of steps. Older steps are removed.
  ///   - isStep: Returns whether a commit that changes the part is a step. It is called on the holder's
  ///     isolation, directly after the commit, and may read the history.
  public init<Part: Sendable & Equatable>(
    of holder: Holder, restoring part: any WritableKeyPath<Holder.State, Part> & Sendable,
    limit: Int = 100,
    where isStep: @escaping @Sendable (Holder.ChangeCause) -> Bool = { _ in true }
  ) {
    precondition(limit >= 1, "UndoHistory(limit:): needs room for at least 1 step; got \(limit)")
    steps = Mutex(UndoSteps(limit: limit))
    self.holder = holder.desk.number
    self.part = { $0[keyPath: part] }
    put = { other, state in
      let old = state[keyPath: part]
      if let other = other as? Part { state[keyPath: part] = other }
      return old
    }
    step = { change in
      guard let cause = change.cause else { return nil }
      let (before, after) = (change.before[keyPath: part], change.after[keyPath: part])
      return before != after && !areSame(before, after) && isStep(cause) ? before : nil
    }
    holder.desk.listen(
      Listener(
        isOver: { [weak self] in self == nil }, react: { [weak self] in self?.recordSteps() }
      ) { [weak self] _, change in
        guard let self, let change else { return }
        unjudged.withLock { $0.append(change) }
      })
  }

  /// Records the steps among the transitions that have happened, one at a time and in order.
  ///
  /// If the predicate uses the history, the step that is being judged is not yet recorded.
  func recordSteps() {
    guard unjudged.withLock({ $0.begin() }) else { return }
    while let next = unjudged.withLock({ $0.next() }) {
      if let before = step(next) { change { $0.record(before) } }
    }
  }

  /// Changes the steps and publishes the counts, on the holder's isolation.
  ///
  /// `transition` returns the states that it removes, so that they are released outside the lock, where a `deinit` may run user
  /// code.
  @discardableResult
  func change<Result: Sendable>(
    _ transition: (inout UndoSteps<any Sendable>) -> Result
  ) -> Result {
    let (result, counts) = steps.withLock { steps in
      let result = transition(&steps)
      return (result, UndoCounts(undoCount: steps.undoCount, redoCount: steps.redoCount))
    }
    if counts != knot.state { knot.write(by: ObjectIdentifier(self)) { $0 = counts } }
    return result
  }

  /// Records the steps before the history is used; traps if the history belongs to another holder.
  func begin(_ call: String, on holder: Holder) {
    precondition(
      holder.desk.number == self.holder,
      "\(call): needs a history of this \(Holder.self); got the history of another \(Holder.self). Call it on the holder that the history was created with"
    )
    recordSteps()
  }
}

extension Dispatcher {
  /// Restores the history's part of the state to its value before the last step, in one commit.
  ///
  /// The rest of the state does not change.
  ///
  /// Traps if the history belongs to another actor.
  ///
  /// - Returns: Whether a step was undone; `false` in the dispatch of a superseded or cancelled message.
  @discardableResult
  public func undo(_ history: UndoHistory<Self>) -> Bool { restore(.back, history, in: "undo(_:)") }

  /// Restores the part that the last undo replaced.
  ///
  /// Traps if the history belongs to another actor.
  ///
  /// - Returns: Whether a step was redone; `false` in the dispatch of a superseded or cancelled message.
  @discardableResult
  public func redo(_ history: UndoHistory<Self>) -> Bool {
    restore(.forth, history, in: "redo(_:)")
  }

  /// Removes all steps of a history, for example after other rows have been loaded.
  ///
  /// Traps if the history belongs to another actor.
  public func clear(_ history: UndoHistory<Self>) {
    history.begin("clear(_:)", on: self)
    history.change { $0.clear() }
  }

  private func restore(
    _ direction: UndoDirection, _ history: UndoHistory<Self>, in call: String
  ) -> Bool {
    history.begin(call, on: self)
    var taken: [any Sendable] = []
    let isRestored = restore { confirmed in
      let part = history.part(confirmed())
      while let other = history.change({ $0.take(direction) }) {
        taken.append(other)
        if areSame(other, part) { continue }
        history.change { $0.keep(part, for: direction.opposite) }
        return { [put = history.put] in put(other, &$1) }
      }
      taken = []
      return nil
    }
    if !isRestored, !taken.isEmpty { history.change { $0.putBack(taken, for: direction) } }
    return isRestored
  }
}
