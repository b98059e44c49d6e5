// refused: this state has no default: pass the initial state, 'Knot(…)', or conform the state to KnotState
import AsyncKnot

struct Profile: Sendable { var title: String }

actor Session: StateActor {
  let knot = Knot<Profile>()
}
