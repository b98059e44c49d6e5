/// A node that records the calls to its hooks.
actor Node: Knotable {
  struct State: KnotState, Equatable {
    var title = "-"
    var count = 0
    static func defaultState() -> State { State() }
  }

  let knot = Knot<State>()
  var updates: [State] = []
  var layouts: [State] = []
  let laidOut = EventChannel<Int>()
  /// The state that `update` writes once, when the count is 1.
  var nested: State?

  func update(_ state: State) {
    updates.append(state)
    if state.count == 1, let nested {
      self.nested = nil
      sink(nested)
    }
  }

  func layout() {
    layouts.append(state)
    laidOut.send(state.count)
  }

  func sinkInUpdate(_ state: State) { nested = state }

  /// Writes the counts one after another, in one job of the actor.
  func count(_ counts: [Int]) {
    for count in counts { sink(State(count: count)) }
  }
}

/// A state that is declared outside its holders (K17).
struct OuterState: KnotState, Equatable {
  var count = 0
  static func defaultState() -> OuterState { OuterState() }
}

actor PlainNode: StateActor {
  let knot = Knot<OuterState>()
}

/// A holder that is not a node.
actor Session: StateActor {
  let knot = Knot(7)
}

@MainActor
final class View: KnotableView {
  struct State: KnotState, Equatable {
    var count = 0
    static func defaultState() -> State { State() }
  }

  nonisolated let knot = Knot<State>()
  var updates: [Int] = []
  var layouts: [Int] = []
  let laidOut = EventChannel<Int>()

  func update(_ state: State) { updates.append(state.count) }

  func layout() {
    layouts.append(state.count)
    laidOut.send(state.count)
  }
}
