import AsyncKnotTesting
import AsyncOptical

/// A search that calls the service only when the user has paused for 0.3 seconds, and only with the latest text.
private actor Search: Opticle {
  let knot = Knot("")
  let answer: @Sendable (String) async throws -> String

  init(answer: @escaping @Sendable (String) async throws -> String) { self.answer = answer }

  func dispatch(_ text: String) async { await load(from: text) { try await answer(text) } }
  func mutate(_ state: inout String, response: String) { state = response }
  func recover(_ state: inout String, request: String, error: any Error) { state = "\(error)" }
  nonisolated func policy(for text: String) -> DispatchPolicy {
    .debounced("search", for: .milliseconds(300))
  }
}

private actor Service {
  struct Unknown: Error {}
  private(set) var asked: [String] = []
  func answer(_ text: String) throws -> String {
    asked.append(text)
    if text == "?" { throw Unknown() }
    return "all about \(text)"
  }
}

@Test func serviceIsCalledOncePerPause() async {
  await explore(seeds: 300) {
    let service = Service()
    let search = Search { try await service.answer($0) }
    for text in ["t", "te", "tea"] {
      search.send(text)
      try await Task.sleep(for: .milliseconds(100))  // virtual time
    }
    try await Task.sleep(for: .milliseconds(150))
    #expect(await service.asked == [])  // 0.25 seconds after the last text
    try await Task.sleep(for: .milliseconds(100))
    #expect(await service.asked == ["tea"])
    search.send("teapot")
    try await Task.sleep(for: .seconds(1))
    #expect(await service.asked == ["tea", "teapot"])
    #expect(search.state == "all about teapot")
    search.send("?")
    try await Task.sleep(for: .seconds(1))
    #expect(search.state == "Unknown()")
  }
}
