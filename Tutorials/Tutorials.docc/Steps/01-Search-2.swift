import AsyncKnot

actor Search: StateActor {
  struct State: Equatable, Sendable {
    var query = ""
    var titles: [String] = []
  }

  let knot = Knot(State())
  private let catalogue: Catalogue

  init(catalogue: Catalogue) { self.catalogue = catalogue }

  func type(_ key: Character) {
    reduce { state in
      if key == "\u{7F}" { _ = state.query.popLast() } else { state.query.append(key) }
    }
  }
}
