import AsyncKnotTesting
import AsyncOptical

/// A search that never shows the response to an older search, even if that response arrives last.
private actor Search: Opticle {
  let knot = Knot<[String]>([])
  let titles: @Sendable (String) async throws -> [String]

  init(titles: @escaping @Sendable (String) async throws -> [String]) { self.titles = titles }

  func dispatch(_ text: String) async { await load(from: text) { try await titles(text) } }
  func mutate(_ state: inout [String], response titles: [String]) { state = titles }
  func recover(_ state: inout [String], request: String, error: any Error) { state = [] }
  nonisolated func policy(for text: String) -> DispatchPolicy { .latest("search") }
}

private struct Unknown: Error {}

@Test func resultOfTheLastSearchIsShown() async {
  await explore(seeds: 500) {
    let search = Search { text in
      // Like many services, this one ignores cancellation.
      let delay = Duration.seconds(text == "t" ? 2 : 1)
      await Task { try? await Task.sleep(for: delay) }.value
      if text == "?" { throw Unknown() }
      return ["all about \(text)"]
    }
    let shown = Recorder(search.states)
    search.send("t")
    search.send("tea")
    try await Task.sleep(for: .seconds(10))  // virtual time
    search.send("?")
    try await Task.sleep(for: .seconds(10))
    #expect(shown.elements == [[], ["all about tea"], []])
  }
}
