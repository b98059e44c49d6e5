// The declarations that the samples of AsyncKnotTesting's documentation comments use without showing them.
import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

actor CountNode: Knotable {
  struct State: KnotState {
    var count = 0
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
  func update(_ state: State) {}
}

// The service and the opticle that AsyncOptical's documentation also uses.
struct FeedService: Sendable {
  var titles: @Sendable () async throws -> [String]
}

actor Feed: Opticle {
  struct State: Sendable, Equatable { var titles: [String] = [] }
  enum Request: Sendable { case load, clear }
  let knot = Knot(State())
  let service: FeedService
  init(service: FeedService) { self.service = service }

  func dispatch(_ request: Request) async {}
  func mutate(_ state: inout State, response: [String]) {}
  func recover(_ state: inout State, request: Request, error: any Error) {}
}
