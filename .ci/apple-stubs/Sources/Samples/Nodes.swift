import AsyncKnot

/// The node of the articles.
actor ProfileNode: Knotable {
  struct State: KnotState, Equatable {
    struct User: Sendable, Equatable {
      var name = "-"
    }
    var title = "-"
    var isFollowed = false
    var user = User()
    var rows: [String] = []
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()

  func update(_ state: State) {}
}
