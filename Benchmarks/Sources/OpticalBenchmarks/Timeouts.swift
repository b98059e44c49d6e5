import AsyncOptical
import Measure

/// Requests with a timeout of an hour, and debounced requests with a duration of zero.
actor TimedOpticle: Opticle {
  enum Request: Sendable { case hang(Int), wait }
  let knot = Knot(0)
  private let gate = AsyncStream.makeStream(of: Never.self)

  func dispatch(_ request: Request) async {
    guard case .hang = request else { return }
    let gate = gate.stream
    commit(state + 1)
    await commit(from: request) {
      try await withTimeout(.seconds(3_600)) {
        for await _ in gate {}
        throw CancellationError()
      }
    }
  }
  func mutate(_ state: inout Int, response: Int) { state = response }
  func recover(_ state: inout Int, request: Request, error: any Error) {}
  nonisolated func policy(for request: Request) -> DispatchPolicy {
    if case .hang = request { .concurrent } else { .debounced("wait", for: .zero) }
  }

  func end() { gate.continuation.finish() }
}

/// Measures how many ns `perform` takes for a debounced request with a duration of zero while timeouts are in flight.
func timeouts(_ report: Report) async {
  for count in [0, 10_000, 40_000] {
    let opticle = TimedOpticle()
    for number in 0..<count { opticle.send(.hang(number)) }
    while opticle.state < count { await Task.yield() }
    // The last `.hang` has started, and sets its alarm before the opticle handles this `.wait`.
    await opticle.perform(.wait)
    let waits = 200
    let time = await minimum(of: 5) {
      for _ in 0..<waits { await opticle.perform(.wait) }
    }
    report.row("\(count) timeouts in flight", figure(time.nanoseconds / Double(waits)))
    await opticle.end()
  }
}
