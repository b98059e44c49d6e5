public import AsyncKnot
internal import Synchronization

/// The states to go back and forth between: undo and redo.
///
/// ```swift
/// let history = UndoHistory(of: editor, limit: 50)
/// await editor.undo(history)   // puts the state before the last commit back
/// await editor.redo(history)
/// ```
/// Each commit since the history was made is a step, also one that `undo` passes over later; restoring is
/// none. A commit after an undo forgets what could be redone. Nothing is kept beyond the limit.
public final class UndoHistory<Cause: Sendable, State: Sendable>: Sendable {
  private let records: EventSequence<Record<Cause, State>>
  private let steps: Mutex<UndoSteps<State>>
  private let isStep: @Sendable (Cause) -> Bool

  private init(
    _ records: EventSequence<Record<Cause, State>>, limit: Int,
    isStep: @escaping @Sendable (Cause) -> Bool
  ) {
    self.records = records
    self.isStep = isStep
    steps = Mutex(UndoSteps(limit: limit))
  }

  /// Begins a history of an opticle.
  ///
  /// - Parameters:
  ///   - opticle: Whose commits are steps.
  ///   - limit: How many steps to keep; at least 1.
  ///   - isStep: Whether a commit is a step of its own; by default each one is.
  public convenience init<Holder: Opticle>(
    of opticle: Holder, limit: Int = 100,
    where isStep: @escaping @Sendable (Cause) -> Bool = { _ in true }
  ) where Cause == CommitCause<Holder.Request, Holder.Response>, State == Holder.State {
    Self.check(limit)
    self.init(opticle.desk.records.subscribe(buffering: .bufferingNewest(limit)), limit: limit) {
      if case .restored = $0 { false } else { isStep($0) }
    }
  }

  /// Begins a history of a binder.
  ///
  /// - Parameters:
  ///   - binder: Whose actions are steps.
  ///   - limit: How many steps to keep; at least 1.
  ///   - isStep: Whether an action is a step of its own; by default each one is.
  public convenience init<Holder: ViewBindable>(
    of binder: Holder, limit: Int = 100,
    where isStep: @escaping @Sendable (Cause) -> Bool = { _ in true }
  ) where Cause == ActionCause<Holder.Action>, State == Holder.State {
    Self.check(limit)
    self.init(binder.desk.records.subscribe(buffering: .bufferingNewest(limit)), limit: limit) {
      if case .restored = $0 { false } else { isStep($0) }
    }
  }

  /// How many steps can be undone now.
  public var undoCount: Int { update { $0.past.count } }

  /// How many steps can be redone now.
  public var redoCount: Int { update { $0.future.count } }

  /// The state to go back to; on the holder's isolation, so that `current` is up to date.
  func stepBack(from current: State) -> State? { update { $0.stepBack(from: current) } }

  /// The state to go forth to.
  func stepForth(from current: State) -> State? { update { $0.stepForth(from: current) } }

  /// Takes in what was committed since the last time, then runs a transition.
  private func update<Result: Sendable>(_ body: (inout UndoSteps<State>) -> Result) -> Result {
    steps.withLock { steps in
      while let record = records.takeBuffered() {
        guard case .transition(let transition) = record, isStep(transition.cause) else { continue }
        steps.record(transition.before)
      }
      return body(&steps)
    }
  }

  private static func check(_ limit: Int) {
    precondition(limit >= 1, "UndoHistory(limit:): needs room for one step; got \(limit)")
  }
}

/// Two stacks of states.
struct UndoSteps<State> {
  let limit: Int
  private(set) var past: [State] = []
  private(set) var future: [State] = []

  init(limit: Int) { self.limit = limit }

  mutating func record(_ before: State) {
    past.append(before)
    if past.count > limit { past.removeFirst() }
    future = []
  }

  mutating func stepBack(from current: State) -> State? {
    guard let state = past.popLast() else { return nil }
    future.append(current)
    return state
  }

  mutating func stepForth(from current: State) -> State? {
    guard let state = future.popLast() else { return nil }
    past.append(current)
    return state
  }
}
