@testable import AsyncOptical

@Suite struct RetryTests {
  /// An opticle that calls a given service under a retry policy, and logs the time of each call.
  private actor Patient: Opticle {
    struct State: Sendable, Equatable {
      var answer: Int?
      var error: String?
    }
    let knot = Knot(State())
    let clock: any Clock<Duration>
    let calls = Log<Duration>()
    let policy: RetryPolicy
    let timeout: Duration?
    let service: @Sendable (_ call: Int) async throws -> Int

    init(
      _ clock: some Clock<Duration>, _ policy: RetryPolicy, timeout: Duration? = nil,
      service: @escaping @Sendable (Int) async throws -> Int
    ) {
      self.clock = clock
      self.policy = policy
      self.timeout = timeout
      self.service = { [calls] call in
        calls.append((clock as? TestClock)?.now.offset ?? .zero)
        return try await service(calls.all.count)
      }
    }

    func dispatch(_ request: Int) async {
      let service = service
      await commit(from: request) {
        try await retry(policy, timeout: timeout) { try await service(0) }
      }
    }
    /// Shows a response before the service has confirmed it.
    func expect(_ answer: Int) async -> Bool {
      await commit(from: 0, expecting: answer) {
        _ = try await retry(policy, timeout: timeout) { [service] in try await service(0) }
      }
    }
    func mutate(_ state: inout State, response: Int) { state.answer = response }
    func recover(_ state: inout State, request: Int, error: any Error) { state.error = "\(error)" }
  }

  @Test(
    "O15: an expected change is shown during retries, and withdrawn when the last attempt fails")
  func expected() async {
    for failures in [1, 2] {
      await explore(seeds: 20, allowing: [.noChoice]) {
        let clock = TestClock()
        let opticle = Patient(clock, RetryPolicy(attempts: 2) { _, _ in .seconds(1) }) { call in
          if call <= failures { throw Broken() }
          return call
        }
        async let isConfirmed = opticle.expect(7)
        try await clock.sleep(for: .milliseconds(500))
        try hold(opticle.state == .init(answer: 7), "during the wait: \(opticle.state)")
        let isRight = await isConfirmed == (failures == 1)
        try hold(isRight && opticle.calls.all == [.zero, .seconds(1)], "\(opticle.calls.all)")
        let end = failures == 1 ? Patient.State(answer: 7) : Patient.State(error: "Broken()")
        try hold(opticle.state == end, "\(opticle.state)")
      }
    }
  }

  private struct Busy: Error { let retryAfter: Duration }

  @Test("A delay may depend on the error, for example on a service's retry-after time")
  func retryAfter() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let policy = RetryPolicy(attempts: 4) { failures, error in
        (error as? Busy)?.retryAfter ?? .seconds(failures)
      }
      let opticle = Patient(TestClock(), policy) { call in
        if call == 4 { return call }
        if call == 2 { throw Broken() }
        throw Busy(retryAfter: .seconds(10 * call))
      }
      await opticle.dispatch(0)
      try hold(opticle.state == .init(answer: 4), "\(opticle.state)")
      let times: [Duration] = [0, 10, 12, 42].map { .seconds($0) }
      try hold(opticle.calls.all == times, "called at \(opticle.calls.all)")
    }
  }

  @Test("A delay doubles until it reaches its limit, no matter how high the limit is")
  func doubles() {
    func delays(
      after failures: [Int], from first: Duration, limit: Duration
    ) -> [Duration] {
      let delay = RetryPolicy.exponential(attempts: 2, from: first, limit: limit).delay
      return failures.map { delay($0, Broken()) }
    }
    #expect(
      delays(after: [1, 2, 3, 4], from: .seconds(1), limit: .seconds(7))
        == [.seconds(1), .seconds(2), .seconds(4), .seconds(7)])
    #expect(
      delays(after: [32, 33, 37, 38, .max], from: .microseconds(1), limit: .seconds(86_400))
        == [1 << 31, 1 << 32, 1 << 36, 86_400_000_000, 86_400_000_000].map { .microseconds($0) })
    let longest = Duration.seconds(Int64.max)
    #expect(delays(after: [1, 100], from: longest, limit: longest) == [longest, longest])
    #expect(delays(after: [2], from: longest * 10, limit: longest * 18) == [longest * 18])
    let tiny = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(delays(after: [.max], from: tiny, limit: longest) == [longest])
    #expect(delays(after: [1], from: .seconds(2), limit: .seconds(1)) == [.seconds(1)])
  }

  @Test("A negative first delay or limit counts as zero")
  func negative() {
    for (first, limit) in [
      (.seconds(Int64.min), .seconds(10)), (.zero, .seconds(10)), (.seconds(1), .seconds(-1)),
      (.seconds(1), .seconds(Int64.min)), (.seconds(-2), .seconds(-1)),
    ] as [(Duration, Duration)] {
      let delay = RetryPolicy.exponential(attempts: 2, from: first, limit: limit).delay
      #expect([1, 2, 31, .max].allSatisfy { delay($0, Broken()) == .zero })
    }
  }

  @Test(
    "The last error is committed, and an error that is not worth a retry is committed immediately")
  func givesUp() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let twice = Patient(TestClock(), .exponential(attempts: 2)) { _ in throw Broken() }
      await twice.dispatch(0)
      try hold(twice.calls.all.count == 2 && twice.state.error == "Broken()", "\(twice.state)")
      let policy = RetryPolicy.exponential(attempts: 5) { !($0 is Broken) }
      let once = Patient(TestClock(), policy) { _ in throw Broken() }
      await once.dispatch(0)
      try hold(once.calls.all.count == 1 && once.state.error == "Broken()", "\(once.state)")
    }
  }

  @Test("The timeout applies to each attempt separately")
  func timeoutOfEach() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let clock = TestClock()
      let opticle = Patient(
        clock, RetryPolicy(attempts: 3) { _, _ in .seconds(1) }, timeout: .seconds(5)
      ) { call in
        try await clock.sleep(for: .seconds(call < 3 ? 60 : 4))
        return call
      }
      await opticle.dispatch(0)
      try hold(opticle.state == .init(answer: 3), "\(opticle.state)")
      try hold(opticle.calls.all == [.zero, .seconds(6), .seconds(12)], "\(opticle.calls.all)")
      try hold(clock.now.offset == .seconds(16), "it ended at \(clock.now.offset)")
    }
  }

  @Test("A second request gets all attempts again, starting with the first delay")
  func secondRequest() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let opticle = Patient(TestClock(), .exponential(attempts: 3, from: .seconds(1))) { call in
        if call <= 5 { throw Broken() }
        return call
      }
      await opticle.dispatch(0)
      try hold(opticle.state == .init(error: "Broken()"), "\(opticle.state)")
      await opticle.dispatch(0)
      try hold(opticle.state.answer == 6, "\(opticle.state)")
      let times: [Duration] = [0, 1, 3, 3, 4, 6].map { .seconds($0) }
      try hold(opticle.calls.all == times, "called at \(opticle.calls.all)")
    }
  }

  @Test("The timeout of an ended attempt does not end a later attempt or request")
  func endedTimeout() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let clock = TestClock()
      let opticle = Patient(
        clock, RetryPolicy(attempts: 2) { _, _ in .zero }, timeout: .seconds(5)
      ) { call in
        try await clock.sleep(for: .seconds(4))
        if call == 1 { throw Broken() }
        return call
      }
      for answer in [2, 3] {
        await opticle.dispatch(0)
        try hold(opticle.state == .init(answer: answer), "\(opticle.state)")
      }
      try hold(clock.now.offset == .seconds(12), "it ended at \(clock.now.offset)")
    }
  }

  @Test(
    "O2: an operation that is cancelled while it runs or waits is not retried",
    arguments: [(500, 1), (1_500, 2)])
  func cancellation(milliseconds: Int, calls: Int) async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let clock = TestClock()
      let opticle = Patient(clock, .exponential(attempts: 9, from: .seconds(1))) { call in
        if call == 1 { throw Broken() }
        try await clock.sleep(for: .seconds(60))
        return 1
      }
      await withDiscardingTaskGroup { group in
        group.addTask { await opticle.dispatch(0) }
        try? await clock.sleep(for: .milliseconds(milliseconds))
        group.cancelAll()
      }
      try hold(opticle.calls.all.count == calls, "called at \(opticle.calls.all)")
      try hold(opticle.state == .init(), "\(opticle.state)")
      try hold(clock.sleeperCount == 0, "a task is still sleeping")
    }
  }

  @Test(
    "O2: an operation that fails after it was cancelled is not retried, and its own error is thrown"
  )
  func failsAfterCancellation() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (clock, calls, retries) = (TestClock(), Shared(0), Log<String>())
      let (worker, bag) = (Worker(clock: clock), TaskBag())
      worker.trace(in: bag) { if case .retrying = $0.kind { retries.append($0.kind.name) } }
      let task = Task {
        try await worker.retry(RetryPolicy(attempts: 3) { _, _ in .seconds(1) }) {
          calls.value += 1
          withUnsafeCurrentTask { $0?.cancel() }
          throw Broken()
        }
      }
      let result = await task.result
      let isBroken = if case .failure(is Broken) = result { true } else { false }
      try hold(isBroken && calls.value == 1, "\(result) after \(calls.value) calls")
      try hold(retries.all.isEmpty, "\(retries.all)")
      bag.cancel()
    }
  }

  @Test("An operation with a timeout is cancelled when its caller is cancelled")
  func callerOfATimeoutIsCancelled() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      let ended = Shared(false)
      let task = Task {
        defer { ended.value = true }
        try await worker.withTimeout(.seconds(5)) { try await clock.sleep(for: .seconds(60)) }
      }
      await untilIdle()
      task.cancel()
      await untilIdle()
      try hold(ended.value, "the operation was not cancelled")
      await clock.advance(by: .seconds(5))
      let isCancelled =
        if case .failure(is CancellationError) = await task.result { true } else { false }
      try hold(isCancelled, "the call ended with another result")
    }
  }

  @Test("An operation with a timeout is cancelled when its time is up")
  func lateOperationIsCancelled() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let clock = TestClock()
      let (worker, wasCancelled) = (Worker(clock: clock), Shared(false))
      let task = Task {
        try await worker.withTimeout(.seconds(5)) {
          try? await clock.sleep(for: .seconds(60))
          wasCancelled.value = Task.isCancelled
        }
      }
      await untilIdle()
      await clock.advance(by: .seconds(5))
      await untilIdle()
      try hold(wasCancelled.value, "the operation continues")
      let isLate = if case .failure(is TimeoutError) = await task.result { true } else { false }
      try hold(isLate, "the call ended with another result")
    }
  }

  @Test("O21: an operation whose time is already up does not start, and its timeout is traced")
  func noTime() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (worker, calls, bag, timeouts) = (Worker(), Shared(0), TaskBag(), Shared(0))
      worker.trace(in: bag) { if case .timedOut = $0.kind { timeouts.value += 1 } }
      for limit in [.zero, .seconds(-1), Duration(attoseconds: .min)] {
        do {
          try await worker.withTimeout(limit) { calls.value += 1 }
          try hold(false, "\(limit): no error")
        } catch let error as TimeoutError { try hold(error.limit == limit, "\(error)") }
      }
      await untilIdle()
      try hold(calls.value == 0, "\(calls.value) operations started")
      try hold(timeouts.value == 3, "\(timeouts.value) timeouts are traced")
    }
  }

  @Test("O2: an operation that throws a CancellationError of its own is not repeated")
  func ownCancellation() async {
    let (worker, calls) = (Worker(), Shared(0))
    try? await worker.retry(RetryPolicy(attempts: 3) { _, _ in .zero }) {
      calls.value += 1
      throw CancellationError()
    }
    #expect(calls.value == 1)
  }

  @Test("O3: the timeout of an operation that has ended leaves no alarm behind")
  func noAlarmIsLeft() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      for limit in [10, 20] { try await worker.withTimeout(.seconds(limit)) {} }
      await clock.advance(by: .seconds(10))
      await untilIdle()
      try hold(clock.sleeperCount == 0, "\(clock.sleeperCount) tasks are still sleeping")
    }
  }
}
