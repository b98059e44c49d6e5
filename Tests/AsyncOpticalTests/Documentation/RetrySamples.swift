import AsyncKnotTesting
import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// The samples of the article on retrying.
struct WeatherService: Sendable {
  var forecast: @Sendable (_ city: String) async throws -> String
}

struct Offline: Error, Equatable {}

actor Forecast: Opticle {
  struct State: Sendable, Equatable { var text = "", message = "" }
  let knot = Knot(State())
  let service: WeatherService
  let clock: any Clock<Duration>

  init(service: WeatherService, clock: any Clock<Duration> = ContinuousClock()) {
    self.service = service
    self.clock = clock
  }

  func dispatch(_ city: String) async {
    await commit(from: city, retrying: .exponential(attempts: 3), timeout: .seconds(5)) {
      [service] in try await service.forecast(city)
    }
  }
  func mutate(_ state: inout State, response: String) { state = State(text: response) }
  func recover(_ state: inout State, request: String, error: any Error) {
    state.message = error is TimeoutError ? "No answer. Is it only slow?" : "\(error)"
  }
  nonisolated func policy(for city: String) -> DispatchPolicy { .latest("forecast") }
}

@Suite struct RetrySamples {
  @Test("A forecast that fails twice is asked for three times, and no real time passes")
  func retrying() async {
    await explore(seeds: 100) {
      let clock = TestClock()
      let calls = Mutex<[Duration]>([])
      let service = WeatherService { city in
        let count = calls.withLock {
          $0.append(clock.now.offset)
          return $0.count
        }
        if count < 3 { throw Offline() }
        return "rain in \(city)"
      }
      let probe = OpticleProbe(Forecast(service: service, clock: clock))
      probe.send("Oslo")
      await probe.expect { $0.text = "rain in Oslo" }
      await probe.finish()
      #expect(calls.withLock { $0 } == [.zero, .milliseconds(100), .milliseconds(300)])
    }
  }

  @Test("A service that is silent three times is a message, after three timeouts and two waits")
  func silence() async {
    await explore(seeds: 100) {
      let clock = TestClock()
      let service = WeatherService { _ in
        try await clock.sleep(for: .seconds(60))
        return ""
      }
      let probe = OpticleProbe(Forecast(service: service, clock: clock))
      probe.send("Oslo")
      await probe.expect { $0.message = "No answer. Is it only slow?" }
      await probe.finish()
      #expect(clock.now.offset == .milliseconds(15_300))
    }
  }

  /// Fails with one error each time.
  private actor Failing: Opticle {
    let knot = Knot(false)
    let (clock, policy, error): (any Clock<Duration>, RetryPolicy, any Error)
    let calls = Log<Duration>()
    private let time: @Sendable () -> Duration

    init(_ clock: TestClock, _ policy: RetryPolicy, error: any Error) {
      (self.clock, self.policy, self.error) = (clock, policy, error)
      time = { clock.now.offset }
    }

    func dispatch(_ request: Int) async {
      await commit(from: request, retrying: policy) { [calls, time, error] in
        calls.append(time())
        throw error
      }
    }
    func mutate(_ state: inout Bool, response: Never) {}
    func recover(_ state: inout Bool, request: Int, error: any Error) { state = true }
  }

  @Test("Policies of one's own: which errors are worth it, and how long to wait")
  func policies() async {
    let worthIt = RetryPolicy.exponential(
      attempts: 5, from: .milliseconds(200), limit: .seconds(2),
      where: { error in error is Offline || error is TimeoutError })
    let scattered = RetryPolicy(attempts: 4) { failures in
      .milliseconds(200) * failures * Double.random(in: 0.5...1)
    }
    await explore(seeds: 20, allowing: [.noChoice]) {
      let refused = Failing(TestClock(), worthIt, error: Broken())
      await refused.dispatch(0)
      #expect(refused.calls.all == [.zero] && refused.state)
      let offline = Failing(TestClock(), worthIt, error: Offline())
      await offline.dispatch(0)
      #expect(offline.calls.all.map { $0 / .milliseconds(1) } == [0, 200, 600, 1_400, 3_000])
      let many = Failing(TestClock(), scattered, error: Offline())
      await many.dispatch(0)
      #expect(many.calls.all.count == 4)
      #expect((.milliseconds(600)...(.milliseconds(1_200))).contains(many.calls.all[3]))
    }
  }
}
