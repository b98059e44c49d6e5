/// The states that can be undone and redone: two stacks, of which the first has a limit.
///
/// No transition lets a state go: what a stack has no use for is returned, so that the caller can let it
/// go without holding a lock.
struct UndoSteps<State> {
  private let limit: Int
  /// The states before each step, oldest first; those before `oldest` were forgotten.
  private var past: [State?] = []
  private var oldest = 0
  /// The states that were undone, the next one to redo last.
  private var future: [State] = []

  init(limit: Int) { self.limit = limit }

  /// How many steps can be undone.
  var undoCount: Int { past.count - oldest }

  /// How many steps can be redone.
  var redoCount: Int { future.count }

  /// Notes a new step, which makes it impossible to redo an older one.
  ///
  /// - Parameter before: The state that the step has changed.
  /// - Returns: What is forgotten.
  /// - Complexity: O(1), amortised.
  mutating func record(_ before: State) -> [State] {
    var forgotten = future
    future = []
    if let state = push(before) { forgotten.append(state) }
    return forgotten
  }

  /// Takes the state before the last step.
  mutating func stepBack(from current: State) -> State? {
    guard undoCount > 0, let state = past.popLast() ?? nil else { return nil }
    future.append(current)
    return state
  }

  /// Takes the state that the last undo left, and what is forgotten for it.
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
