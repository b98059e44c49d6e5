import AsyncKnot

actor Search: StateActor {
  struct State: Equatable, Sendable {
    var query = ""
    var titles: [String] = []
  }

  let knot = Knot(State())
  private let catalogue: Catalogue

  init(catalogue: Catalogue) { self.catalogue = catalogue }

  func type(_ key: Character) async {
    let query = reduce { state in
      if key == "\u{7F}" { _ = state.query.popLast() } else { state.query.append(key) }
      return state.query
    }
    guard let titles = try? await catalogue.titles(query) else { return }
    reduce { $0.titles = titles }
  }
}
