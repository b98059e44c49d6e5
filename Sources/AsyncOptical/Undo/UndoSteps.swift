/// The direction in which to move through a history.
enum UndoDirection {
  case back, forth

  var opposite: UndoDirection { self == .back ? .forth : .back }
}

/// The states that can be undone and redone.
///
/// Mutating methods return the states that they remove, so that the caller can release them outside the lock.
struct UndoSteps<State> {
  private let limit: Int
  /// The states before each step, oldest first.
  ///
  /// The slots before index `oldest` are empty.
  private var past: [State?] = []
  private var oldest = 0
  /// The states that were undone.
  ///
  /// The last one is redone next.
  private var future: [State] = []

  init(limit: Int) { self.limit = limit }

  var undoCount: Int { past.count - oldest }

  var redoCount: Int { future.count }

  /// Adds a step and removes the steps that could be redone; amortized O(1).
  mutating func record(_ before: State) -> [State] {
    var forgotten = future
    future = []
    if let state = keep(before, for: .back) { forgotten.append(state) }
    return forgotten
  }

  /// Removes and returns the next state in a direction.
  mutating func take(_ direction: UndoDirection) -> State? {
    switch direction {
    case .back: undoCount > 0 ? past.popLast() ?? nil : nil
    case .forth: future.popLast()
    }
  }

  /// Adds the state that the next undo (`.back`) or redo (`.forth`) restores.
  ///
  /// If there are more undo steps than the limit, removes and returns the oldest state.
  mutating func keep(_ state: State, for direction: UndoDirection) -> State? {
    guard direction == .back else {
      future.append(state)
      return nil
    }
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

  /// Puts back the states that were taken in a direction; removes and returns the state that was kept for the opposite direction.
  ///
  /// Does nothing and returns `nil` if the steps were cleared in the meantime.
  mutating func putBack(_ taken: [State], for direction: UndoDirection) -> State? {
    guard let kept = take(direction.opposite) else { return nil }
    for state in taken.reversed() { _ = keep(state, for: direction) }
    return kept
  }

  mutating func clear() -> (past: [State?], future: [State]) {
    defer { self = UndoSteps(limit: limit) }
    return (past, future)
  }
}
