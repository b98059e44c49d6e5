/// The states that can be undone and redone; a transition returns those to release outside the lock.
struct UndoSteps<State> {
  private let limit: Int
  /// The states before each step, oldest first; those before index `oldest` were removed.
  private var past: [State?] = []
  private var oldest = 0
  /// The states that were undone; the last one is redone next.
  private var future: [State] = []

  init(limit: Int) { self.limit = limit }

  var undoCount: Int { past.count - oldest }

  var redoCount: Int { future.count }

  /// Adds a new step and removes the steps that could be redone; O(1), amortised.
  mutating func record(_ before: State) -> [State] {
    var forgotten = future
    future = []
    if let state = push(before) { forgotten.append(state) }
    return forgotten
  }

  /// Takes the state before the last step and stores `current` for a redo; `nil` without a step.
  mutating func stepBack(from current: State) -> State? {
    guard undoCount > 0, let state = past.popLast() ?? nil else { return nil }
    future.append(current)
    return state
  }

  /// Takes the state that the last undo replaced, and the one removed for it; `nil` without a step.
  mutating func stepForth(from current: State) -> (state: State, forgotten: State?)? {
    guard let state = future.popLast() else { return nil }
    return (state, push(current))
  }

  private mutating func push(_ state: State) -> State? {
    past.append(state)
    guard undoCount > limit else { return nil }
    let forgotten = past[oldest].take()
    oldest += 1
    if oldest > limit {
      past.removeFirst(oldest)
      oldest = 0
    }
    return forgotten
  }
}
