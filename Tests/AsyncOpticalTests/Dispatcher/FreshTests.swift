import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

private struct Refused: Error, Equatable { let id: Int }

/// Fresh responses, which are reused instead of being requested again.
@Suite struct FreshTests {
  /// A message whose response the test controls.
  private struct Asked: Sendable {
    let gate = Gate()
    let fails = Shared(false)
  }

  /// A model that computes the expected outcomes step by step.
  private struct Model {
    var now = 0
    var answered: Int?
    var inFlight: (id: Int, isStale: Bool, callers: [Int], isCounted: Bool)?
    var outcomes: [Int: String] = [:]
    var started: [Int] = []

    mutating func perform(_ id: Int, freshFor age: Int?) {
      if let age, let answered, now - answered < age { return outcomes[id] = "fresh" }
      if let known = inFlight, !known.isStale { return inFlight?.callers.append(id) ?? () }
      end("superseded")
      started.append(id)
      inFlight = (id, false, [id], age != nil)
    }

    mutating func answer(fails: Bool) {
      guard let known = inFlight else { return }
      if !fails, !known.isStale, known.isCounted { answered = now }
      end(fails ? DispatchOutcome.failed(Refused(id: known.id)).words : "carriedOut")
    }

    mutating func invalidate() {
      answered = nil
      inFlight?.isStale = true
    }

    mutating func end(_ outcome: String) {
      guard let known = inFlight else { return }
      for id in known.callers { outcomes[id] = id == known.id ? outcome : "joined \(outcome)" }
      inFlight = nil
    }
  }

  @Test("O20: in random sequences, the messages that start and all outcomes match a model")
  func model() async {
    await exploreContract(seeds: 1_000) {
      let (clock, said) = (TestClock(), Log<(Int, String)>())
      let worker = Onsite(clock: clock)
      var (model, asked, tasks) = (Model(), [Asked](), [Task<Void, Never>]())
      for _ in 0..<24 {
        switch Int.random(in: 0...9) {
        case 0...3:
          let id = asked.count
          let (one, age) = (Asked(), [nil, 0, 2, 5].randomElement() ?? nil)
          asked.append(one)
          let policy = DispatchPolicy.exclusive("x", freshFor: age.map { .seconds($0) })
          let request = Onsite.Request(id: id, policy: policy) { holder in
            await one.gate.wait()
            if one.fails.value {
              holder.commit(
                error: Refused(id: id), from: Onsite.Request(id: id, policy: policy) { _ in })
            }
          }
          tasks.append(Task { said.append((id, await worker.perform(request).words)) })
          model.perform(id, freshFor: age)
        case 4...5:
          guard let id = model.inFlight?.id else { continue }
          asked[id].fails.value = Int.random(in: 0...3) == 0
          asked[id].gate.open()
          model.answer(fails: asked[id].fails.value)
        case 6...7:
          try await clock.sleep(for: .seconds(1))
          model.now += 1
        case 8:
          worker.invalidate("x")
          model.invalidate()
        default:
          worker.cancel("x")
          model.end("superseded")
        }
        await untilIdle()
      }
      asked.forEach { $0.gate.open() }
      model.answer(fails: false)
      for task in tasks { await task.value }
      let outcomes = Dictionary(said.all) { first, _ in first }
      try hold(outcomes == model.outcomes, "\(outcomes)\nnot \(model.outcomes)")
      try hold(worker.started.all == model.started, "\(worker.started.all) not \(model.started)")
      sometimes("an answer is fresh", outcomes.values.contains("fresh"))
      sometimes("a request is superseded", outcomes.values.contains("superseded"))
    }
  }

  /// An opticle that shows the version that the server had when the request arrived.
  private actor Mirror: Opticle {
    let knot = Knot(0)
    let server: Shared<Int>
    nonisolated let clock = TestClock()
    init(_ server: Shared<Int>) { self.server = server }
    func dispatch(_ request: Int) async {
      await commit(from: request) { [server] in
        let version = server.value
        await Task.yield()
        return version
      }
    }
    nonisolated func policy(for request: Int) -> DispatchPolicy {
      .exclusive("version", freshFor: .seconds(60))
    }
    func mutate(_ state: inout Int, response: Int) { state = response }
    func recover(_ state: inout Int, request: Int, error: any Error) {}
  }

  @Test("O20: a caller does not get a response that was requested before the last invalidation")
  func afterTheInvalidation() async {
    await exploreContract(seeds: 3_000) {
      let server = Shared(0)
      let (mirror, wrong) = (Mirror(server), Log<String>())
      await withDiscardingTaskGroup { group in
        for reader in 0..<2 {
          group.addTask { for _ in 0..<2 { await mirror.perform(reader) } }
        }
        group.addTask {
          for version in 1...2 {
            server.value = version
            mirror.invalidate("version")
            // Yields often enough that a reader can run first in every build.
            for _ in 0..<3 { await Task.yield() }
            let outcome = await mirror.perform(9)
            let shown = mirror.state
            if shown < version { wrong.append("shows \(shown) after \(version): \(outcome)") }
            sometimes("the request is carried out", outcome == .carriedOut)
            sometimes("the request joins another", outcome == .joined(.carriedOut))
            sometimes("the response is fresh", outcome == .fresh)
          }
        }
      }
      try hold(wrong.all.isEmpty, "\(wrong.all)")
    }
  }

  @Test(
    "O20: opening a page twice within freshFor loads it once, and every other id loads separately"
  )
  func twice() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let worker = Onsite(clock: TestClock())
      for (id, name) in [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "a")] {
        worker.send(id, .exclusive(name, freshFor: .seconds(1)))
        await untilIdle()
      }
      try hold(worker.state == [1, 3], "\(worker.state)")
    }
  }

  @Test("O20: of 10,000 responses, of which three are still fresh, at most 17 stay in memory")
  func forgotten() {
    var lanes = Lanes<TestItem>()
    for id in 0..<10_000 {
      let now = Duration.seconds(id)
      let item = TestItem(id, Lane(.exclusive, id), fresh: .seconds(3))
      let admission = lanes.admit(item, now: now)
      guard case .start = admission else {
        Issue.record("\(admission)")
        return
      }
      lanes.answered(item, now: now)
      _ = lanes.finish(item, now: now)
    }
    #expect(lanes.answers.count <= 17)
  }

  @Test(
    "O20: a response stays fresh for its full time, even if the responses of other ids expire sooner"
  )
  func longestAge() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Onsite(clock: clock)
      func perform(_ id: Int, _ age: Duration) async -> DispatchOutcome {
        await worker.perform(.init(id: id, policy: .exclusive(id, freshFor: age)) { _ in })
      }
      _ = await perform(0, .seconds(100))
      await clock.advance(by: .seconds(2))
      for id in 1...40 { _ = await perform(id, .seconds(1)) }
      let outcome = await perform(0, .seconds(100))
      try hold(outcome == .fresh, "\(outcome)")
    }
  }
}
