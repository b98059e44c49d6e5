import AsyncOptical

actor Search: Opticle {
  struct State: Equatable, Sendable {
    var query = ""
    var titles: [String] = []
    var message = ""
  }

  enum Request: Sendable {
    case type(Character)
    case find
  }

  enum Response: Sendable {
    case typed(Character)
    case found([String])
  }

  let knot = Knot(State())
  let clock: any Clock<Duration>
  private let catalogue: Catalogue

  init(catalogue: Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    self.catalogue = catalogue
    self.clock = clock
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .type: .concurrent
    case .find: .debounced("find", for: .milliseconds(300))
    }
  }

  func dispatch(_ request: Request) async {
    switch request {
    case .type(let key):
      commit(.typed(key))
      send(.find)
    case .find:
      let query = state.query
      await load(from: request) {
        let titles = try await catalogue.titles(query)
        guard query == state.query else { throw CancellationError() }  // the query has changed
        return .found(titles)
      }
    }
  }

  func mutate(_ state: inout State, response: Response) {
    state.message = ""
    switch response {
    case .typed("\u{7F}"): _ = state.query.popLast()
    case .typed(let key): state.query.append(key)
    case .found(let titles): state.titles = titles
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {
    state.message = "The search failed: \(error)"
  }
}
