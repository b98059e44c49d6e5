// refused: type 'Profile' does not conform to protocol 'KnotableView'
import AsyncKnot

@MainActor final class Profile: KnotableView {
  struct State: KnotState {
    static func defaultState() -> State { State() }
  }
  nonisolated let knot = Knot<State>()
}
