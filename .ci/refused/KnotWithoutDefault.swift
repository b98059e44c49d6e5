// refused: this state has no default: make it a KnotState, or pass an initial state to 'Knot(…)'
import AsyncKnot

struct Profile: Sendable { var title: String }

actor Session: StateActor {
  let knot = Knot<Profile>()
}
