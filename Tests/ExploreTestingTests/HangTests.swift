@testable import ExploreTesting
import Foundation

/// X13: the report of a test that hangs says which task waits for which.
///
/// Each test that hangs runs in a separate process.
#if os(Linux)
  @Suite struct HangTests {
    @Test(
      "X13: the report of a test that hangs starts with the culprit, and then the process ends",
      arguments: [
        (
          "continuation",
          ["loader awaits a continuation in withCheckedContinuation, in HangingTests.Cache.wait"]
        ),
        ("twoActors", ["a cycle: asks right -> asks left -> asks right"]),
        ("groupAndChild", ["a cycle: ", "owner -> child -> owner"]),
        ("blockedPool", ["blocker (1) blocks its thread in", "blockPool"]),
        ("mainActor", ["holder blocks its thread in", "blockMain"]),
        ("cancellationIgnored", ["deaf was cancelled, but awaits a continuation", "ignore"]),
        ("twoConsumers", ["awaits a continuation in AsyncStream.Iterator.next", "consume"]),
        ("sleeper", ["owl awaits a continuation in Task.sleep", "nap"]),
        ("asyncLet", ["awaits a continuation", "in HangingTests.ignore"]),
        ("explored", ["closure ", "blocks its thread in"]),
        ("spinner", ["spinner blocks its thread", "in HangingTests.spin"]),
      ])
    func pattern(_ test: String, _ expected: [String]) throws {
      let text = try TestProcess().run("HangingTests/\(test)").text
      let lines = text.components(separatedBy: "\n")
      let start = try #require(lines.firstIndex { $0.hasPrefix("explainsHangs: Test") }, "\(text)")
      let first = lines[start...].prefix(3).joined(separator: "\n")
      for words in expected {
        let isThere = first.contains(words)
        #expect(isThere, "\(lines[start...].joined(separator: "\n"))")
      }
      if test == "blockedPool" {
        #expect(text.contains(/blocker \(\d+\) is ready, but no thread runs it/), "\(text)")
      }
      #expect(
        text.contains(
          "every running test with this trait hangs (1), so the process ends"))
    }

    @Test("X13: the hang of a process is explained without a change to its code")
    func process() throws {
      let text = try TestProcess().run("HangingProcess", ["EXPLAIN_HANGS": "3"]).text
      #expect(text.contains("explainsHangs: The process has not ended after 3.0 seconds"))
      #expect(
        text.contains("awaits a continuation in withUnsafeContinuation, in HangingProcess.hangs"))
    }

    @Test(
      "X13: a test that ends in time gets no report, and a test that ends after its limit fails")
    func late() throws {
      let text = try TestProcess().run("LateTests").text
      #expect(text.contains("Test isLate() recorded an issue at HangTests.swift:"))
      #expect(text.contains("The test took longer than"))
      #expect(text.contains("explainsHangs: Test \"isLate()\" has not ended"))
      #expect(text.contains("Test comesLater() passed"))
      #expect(!text.contains("Test \"comesLater()\" has not ended"))
    }

    @Test(
      "X13: a report of a test that has just ended is not attached to the next test of its task")
    func reusedTask() throws {
      let test = try #require(Test.current)
      var state = HangWatch.State()
      let ended = HangWatch.Scope(test: test, limit: .zero)
      state.scopes[16] = HangWatch.Scope(test: test, limit: .seconds(1))
      state.note("the report of the ended test", of: ended, at: 16)
      #expect(state.scopes[16].map { $0.report == nil } == true)
      let next = try #require(state.scopes[16])
      state.note("its own report", of: next, at: 16)
      #expect(state.scopes[16]?.report == "its own report")
    }

    @Test("X13: an invalid limit is refused", arguments: ["-1", "soon"])
    func badLimit(_ limit: String) throws {
      let text = try TestProcess().run("LateTests", ["EXPLAIN_HANGS": limit]).text
      #expect(
        text.contains(
          "EXPLAIN_HANGS: needs a number of seconds above 0, such as 300; got \"\(limit)\""))
    }
  }

  @Suite(.enabled(if: TestProcess.isThis)) struct HangingProcess {
    @Test func hangs() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Suite struct VirtualTimeTests {
    @Test(
      "X13: the limit of an explored test counts real time, not the virtual time of its runs",
      .explored(seeds: 5), .explainsHangs(after: .seconds(300)))
    func sleeps() async throws {
      await Task {}.value
      try await Task.sleep(for: .seconds(3_600))
    }
  }

  // The test's own limit overrides the limit of its suite.
  @Suite(.enabled(if: TestProcess.isThis), .serialized, .explainsHangs(after: .seconds(60)))
  struct LateTests {
    @Test(.explainsHangs(after: .milliseconds(200))) func isLate() {
      // Spin until the report exists, which can take long on a busy machine.
      let start = ContinuousClock.now
      while start.duration(to: .now) < .seconds(60),
        HangWatch.state.withLock({ $0.scopes.values.allSatisfy { $0.report == nil } })
      {}
    }

    @Test func comesLater() {}
  }

  // These tests hang, so each runs in a separate process. Functions that the reports name are not inlined, even in an
  // optimized build.
  @Suite(.enabled(if: TestProcess.isThis), .explainsHangs(after: .milliseconds(500)))
  struct HangingTests {
    private actor Cache {
      private var waiters: [CheckedContinuation<Void, Never>] = []
      func wait() async { await withCheckedContinuation { waiters.append($0) } }
    }

    @Test func continuation() async {
      let cache = Cache()
      await Task(name: "loader") { await cache.wait() }.value
    }

    private actor Half {
      var other: Half?
      var answer: Task<Int, Never>?
      func pair(with half: Half) { other = half }
      func ask(_ name: String, after gate: AsyncStream<Void>) {
        answer = Task(name: name) {
          for await _ in gate {}
          return await self.other?.value() ?? 0
        }
      }
      func value() async -> Int { await answer?.value ?? 0 }
    }

    @Test func twoActors() async {
      let (left, right) = (Half(), Half())
      await left.pair(with: right)
      await right.pair(with: left)
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      await left.ask("asks right", after: gate)
      await right.ask("asks left", after: gate)
      opener.finish()
      #expect(await left.value() == 0)
    }

    private final class Box: Sendable {
      nonisolated(unsafe) var owner: Task<Void, Never>?
    }

    @Test func groupAndChild() async {
      let (start, gate) = AsyncStream.makeStream(of: Void.self)
      let box = Box()
      box.owner = Task(name: "owner") {
        for await _ in start { break }
        await withTaskGroup(of: Void.self) { group in
          group.addTask(name: "child") { await box.owner?.value }
        }
      }
      gate.finish()
      await box.owner?.value
    }

    // The `signal()` after `wait()` prevents a tail call, so this function stays on the stack.
    @inline(never) private static func blockPool(_ semaphore: DispatchSemaphore) {
      semaphore.wait()
      semaphore.signal()
    }

    @Test func blockedPool() async {
      let semaphore = DispatchSemaphore(value: 0)
      for _ in 0..<64 { Task(name: "blocker") { Self.blockPool(semaphore) } }
      await Task(name: "starved") { _ = semaphore.signal() }.value
    }

    @inline(never) @MainActor private static func blockMain(_ semaphore: DispatchSemaphore) {
      semaphore.wait()
    }

    @Test func mainActor() async {
      let semaphore = DispatchSemaphore(value: 0)
      let holder = Task(name: "holder") { @MainActor in Self.blockMain(semaphore) }
      await Task(name: "releaser") { @MainActor in _ = semaphore.signal() }.value
      await holder.value
    }

    @inline(never) private static func ignore() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @Test func cancellationIgnored() async {
      let task = Task(name: "deaf") { await Self.ignore() }
      task.cancel()
      await task.value
    }

    @inline(never) private static func consume(_ stream: AsyncStream<Int>) async -> Int? {
      for await element in stream { return element }
      return nil
    }

    @Test func twoConsumers() async {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let first = Task(name: "first") { await Self.consume(stream) }
      let second = Task(name: "second") { await Self.consume(stream) }
      continuation.yield(1)
      _ = await first.value
      _ = await second.value
      continuation.finish()
    }

    @inline(never) private static func nap() async { try? await Task.sleep(for: .seconds(3600)) }

    @Test func sleeper() async { await Task(name: "owl") { await Self.nap() }.value }

    @Test func asyncLet() async {
      async let never: Void = Self.ignore()
      await never
    }

    @Test func explored() async {
      await explore(seeds: 1) {
        Task { DispatchSemaphore(value: 0).wait() }
        await Task.yield()
      }
    }

    @inline(never) private static func spin() { while !Task.isCancelled {} }

    @Test func spinner() async { await Task(name: "spinner") { Self.spin() }.value }
  }
#endif
