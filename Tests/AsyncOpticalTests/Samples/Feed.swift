import AsyncOptical

struct FeedService: Sendable {
  var titles: @Sendable () async throws -> [String]
}

actor Feed: Opticle {
  struct State: Sendable, Equatable {
    var titles: [String] = []
    var message = ""
  }

  enum Request: Sendable { case load, clear }

  enum Response: Sendable { case loaded([String]), cleared }

  let knot = Knot(State())
  let service: FeedService

  init(service: FeedService) { self.service = service }

  func dispatch(_ request: Request) async {
    switch request {
    case .load: await commit(from: request) { .loaded(try await service.titles()) }
    case .clear: commit(.cleared)
    }
  }

  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loaded(let titles): state = State(titles: titles)
    case .cleared: state = State()
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {
    state.message = "\(error)"
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .load: .latest("load")
    case .clear: .concurrent
    }
  }
}
