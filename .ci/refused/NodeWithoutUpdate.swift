// refused: type 'Profile' does not conform to protocol 'Knotable'
import AsyncKnot

actor Profile: Knotable {
  struct State: KnotState {
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
}
