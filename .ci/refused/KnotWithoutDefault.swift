// refused: this state has no default: write 'Knot(…)' with the first state, or adopt KnotState
import AsyncKnot

struct Profile: Sendable { var title: String }

actor Session: StateActor {
  let knot = Knot<Profile>()
}
