import AsyncKnot
import AsyncOptical
import Testing

/// The sample of the README's section on AsyncOptical.
@Suite struct ReadmeSamples {
  struct Offline: Error {}

  struct FeedService: Sendable {
    func titles(about text: String) async throws -> [String] {
      guard text != "" else { throw Offline() }
      return ["All about \(text)"]
    }
  }

  actor Feed: Opticle {
    struct State: Sendable { var titles: [String] = [], message = "" }
    enum Request { case search(String) }
    let knot = Knot(State())
    let service = FeedService()

    func dispatch(_ request: Request) async {
      guard case .search(let text) = request else { return }
      await commit(from: request) { try await service.titles(about: text) }
    }
    func mutate(_ state: inout State, response: [String]) { state.titles = response }
    func recover(_ state: inout State, request: Request, error: any Error) {
      state.message = "\(error)"
    }
    nonisolated func policy(for request: Request) -> DispatchPolicy { .latest("search") }
  }

  @Test("The README's feed shows what was searched for last, and a failure as a message")
  func feed() async {
    let feed = Feed()
    feed.send(.search("swifts"))
    for await titles in feed.watch.map(\.titles) {
      print(titles)
      if !titles.isEmpty { break }
    }
    #expect(feed.state.titles == ["All about swifts"])
    feed.send(.search(""))
    for await state in feed.states where state.message == "Offline()" { break }
  }
}
