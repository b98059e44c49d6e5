import AsyncKnot

actor Search: StateActor {
  struct State: Equatable, Sendable {
    var query = ""
    var titles: [String] = []
  }

  let knot = Knot(State())
}
