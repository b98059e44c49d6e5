import AsyncKnotTesting
import AsyncOptical

/// A feed whose spinner is visible only while a load is in flight.
///
/// The feed shows a failure, and the user can try again.
private actor Feed: Opticle {
  struct State: Sendable, Equatable { var titles: [String] = [], isLoading = false, message = "" }
  enum Response: Sendable { case loading, loaded([String]) }
  enum Request: Sendable { case load }

  let knot = Knot(State())
  let titles: @Sendable () async throws -> [String]

  init(titles: @escaping @Sendable () async throws -> [String]) { self.titles = titles }

  func dispatch(_ request: Request) async {
    await load(from: request, showing: .loading) { .loaded(try await titles()) }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: (state.isLoading, state.message) = (true, "")
    case .loaded(let titles): state = State(titles: titles)
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {
    state.message = "not loaded"
  }
  nonisolated func policy(for request: Request) -> DispatchPolicy { .latest("load") }
}

private struct Offline: Error {}

@Test(arguments: [true, false])
func spinnerStopsAfterEachLoadAndErrorIsShown(isOnline: Bool) async {
  await explore(seeds: 300) {
    let feed = Feed {
      await Task.yield()
      guard isOnline else { throw Offline() }
      return ["Tea"]
    }
    feed.send(.load)
    await Task.yield()
    feed.cancel("load")
    await untilIdle()
    #expect(!feed.state.isLoading)
    await feed.perform(.load)
    let wanted = isOnline ? Feed.State(titles: ["Tea"]) : Feed.State(message: "not loaded")
    #expect(feed.state == wanted)
  }
}
