import AsyncKnot

/// An actor node in a target that is main-actor by default.
actor ProfileNode: Knotable {
  struct State: KnotState, Equatable {
    var title = "-"
    var count = 0
    static func defaultState() -> State { State() }
  }

  let knot = Knot<State>()
  let laidOut = EventChannel<Int>()
  var updates: [Int] = []

  func update(_ state: State) { updates.append(state.count) }

  func layout() { laidOut.send(state.count) }
}

/// A view without any annotation, which is on the main actor by the target's default.
///
/// Its state is declared outside the class (K17).
final class ProfileView: KnotableView {
  let knot = Knot<Profile>()
  let laidOut = EventChannel<Int>()
  var updates: [Int] = []

  func update(_ state: Profile) { updates.append(state.count) }

  func layout() { laidOut.send(state.count) }
}

struct Profile: KnotState, Equatable {
  var title = "-"
  var count = 0
  var rows: [Int] = []
  static func defaultState() -> Profile { Profile() }
}

/// An actor that holds a state and is not a node.
actor Session: StateActor {
  let knot = Knot(7)
}

/// Returns the numbers as a sequence that ends.
func numbers(_ numbers: [Int]) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for number in numbers { continuation.yield(number) }
    continuation.finish()
  }
}
