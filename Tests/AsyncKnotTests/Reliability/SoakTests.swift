import AsyncKnot
import AsyncKnotTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `SOAK_SECONDS=3600 swift test --filter SoakTests` runs storms and new seeds for an hour.
@Suite struct SoakTests {
  private static let duration = getenv("SOAK_SECONDS").flatMap { Int(String(cString: $0)) }

  @Test("A long run neither fails nor grows", .enabled(if: duration != nil))
  func soak() async throws {
    let end = ContinuousClock.now + .seconds(Self.duration ?? 0)
    // Another seed each time: what the other suites run, they run each time.
    var seed = UInt64.random(in: .min ... .max)
    print("SOAK: starts at seed \(seed)")
    let storm = Storm()
    var bytes: Int?
    while ContinuousClock.now < end {
      for _ in 0..<1_000 {
        seed &+= 1
        for strategy in [ExplorationStrategy.uniform, .pct] {
          let run = await Exploration(strategy: strategy, jobLimit: 5_000).run(seed: seed) {
            try await KnotCounter.showsEveryObserverTheLastState { KnotCounter() }
            try await KnotCounter.forgetsCancelledObservers { KnotCounter() }
            try await KnotCounter.endsWithTheLastState { KnotCounter() }
          }
          #expect(run.failure == nil)
        }
      }
      #expect(await storm.rage(observers: 20_000, seed: seed) == .none)
      guard let now = residentBytes() else { continue }
      let before = bytes ?? now
      bytes = before
      #expect(now - before < 8_000_000, "grew by \(now - before) bytes")
    }
  }
}
