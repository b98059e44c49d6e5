import AsyncKnotTesting
import AsyncOptical

/// An account whose profile three screens need at the same time.
///
/// The profile is loaded once, and all three screens wait for it.
private actor Account: Opticle {
  enum Request: Sendable { case profile }

  let knot = Knot<String?>(nil)
  let load: @Sendable () async throws -> String

  init(load: @escaping @Sendable () async throws -> String) { self.load = load }

  func dispatch(_ request: Request) async { await load(from: request) { try await load() } }
  func mutate(_ profile: inout String?, response: String) { profile = response }
  func recover(_ profile: inout String?, request: Request, error: any Error) {}
  nonisolated func policy(for request: Request) -> DispatchPolicy { .exclusive("profile") }
}

private actor Service {
  struct Offline: Error {}
  private(set) var calls = 0
  func profile() async throws -> String {
    calls += 1
    if calls == 2 { throw Offline() }
    try await Task.sleep(for: .seconds(1))
    return "Ann"
  }
}

@Test func threeScreensShareOneRequest() async {
  await explore(seeds: 500) {
    let service = Service()
    let account = Account { try await service.profile() }
    await withDiscardingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          let outcome = await account.perform(.profile)
          #expect([.carriedOut, .joined(.carriedOut)].contains(outcome))
          #expect(account.state == "Ann")
        }
      }
    }
    #expect(await service.calls == 1)
    #expect(await account.perform(.profile) == .failed(Service.Offline()))
    #expect(account.state == "Ann")
  }
}
