import AsyncKnotTesting
import AsyncOptical
import Synchronization

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

@Test func spinnerStopsAfterEachLoadAndErrorIsShown() async {
  await explore(seeds: 300) {
    let isOnline = Atomic(true)
    let feed = Feed {
      await Task.yield()
      guard isOnline.load(ordering: .relaxed) else { throw Offline() }
      return ["Tea"]
    }
    let loaded = Feed.State(titles: ["Tea"])
    feed.send(.load)
    await Task.yield()
    sometimes("the spinner is shown", feed.state.isLoading)
    feed.cancel("load")
    await untilIdle()
    sometimes("the load is cancelled", feed.state == Feed.State())
    #expect(!feed.state.isLoading)
    await feed.perform(.load)
    #expect(feed.state == loaded)
    isOnline.store(false, ordering: .relaxed)
    await feed.perform(.load)
    #expect(feed.state == Feed.State(titles: ["Tea"], message: "not loaded"))
    isOnline.store(true, ordering: .relaxed)
    feed.send(.load)
    for await state in feed.states {
      #expect(state.message.isEmpty == (state.isLoading || state == loaded))
      if state == loaded { break }
    }
  }
}
