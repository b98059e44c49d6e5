@testable import AsyncOptical

/// An opticle whose requests carry their own work and policy.
actor Worker: Opticle {
  struct State: Sendable, Equatable {
    var done: [Int] = []
    var failed: [Int] = []
  }

  struct Request: Sendable {
    var id = 0
    var policy = DispatchPolicy.concurrent
    var work: @Sendable () async throws -> Void = {}
  }

  let knot = Knot(State())
  let clock: any Clock<Duration>
  let started = Log<Int>()
  let ended = Log<Int>()
  let cancelled = Log<Int>()

  init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  nonisolated func policy(for request: Request) -> DispatchPolicy { request.policy }

  func dispatch(_ request: Request) async {
    started.append(request.id)
    await commit(from: request) {
      try await request.work()
      return request.id
    }
    if Task.isCancelled { cancelled.append(request.id) }
    ended.append(request.id)
  }

  func mutate(_ state: inout State, response: Int) { state.done.append(response) }

  func recover(_ state: inout State, request: Request, error: any Error) {
    state.failed.append(request.id)
  }

  nonisolated func send(
    _ id: Int, _ policy: DispatchPolicy = .concurrent,
    _ work: @escaping @Sendable () async throws -> Void = {}
  ) {
    send(Request(id: id, policy: policy, work: work))
  }
}

extension Worker {
  var keptCount: Int { unsafe desk.log.count }

  /// Supersedes the request in flight under the id "page", then lets that request continue.
  func supersede(_ gate: Gate) async {
    await untilIdle()
    send(2, .latest("page"))
    await untilIdle()
    gate.open()
    await untilIdle()
  }
}

struct Broken: Error {}
