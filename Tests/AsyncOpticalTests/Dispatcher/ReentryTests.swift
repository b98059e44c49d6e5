@testable import AsyncOptical

/// User code that a dispatcher calls and that uses the dispatcher or another holder.
@Suite struct ReentryTests {
  private struct Boom: Error, Equatable {}

  private actor Feed: Opticle {
    enum Request: Sendable { case load, reload, failInChild, cancelThenFail }
    let knot = Knot<[String]>([])
    let outcomes = Log<DispatchOutcome>()

    nonisolated func policy(for request: Request) -> DispatchPolicy {
      switch request {
      case .load: .exclusive("load", freshFor: .seconds(60))
      case .reload: .exclusive("load", freshFor: .zero)
      default: .concurrent
      }
    }
    func dispatch(_ request: Request) async {
      switch request {
      case .load: commit("loaded")
      case .reload: outcomes.append(await perform(.load))
      case .failInChild:
        await withTaskGroup(of: Void.self) { group in
          group.cancelAll()
          group.addTask { await self.commit(error: Boom(), from: request) }
        }
      case .cancelThenFail:
        commit(error: CancellationError(), from: request)
        commit(error: Boom(), from: request)
      }
    }
    func mutate(_ state: inout [String], response: String) { state.append(response) }
    func recover(_ state: inout [String], request: Request, error: any Error) {
      state.append("\(error)")
    }
  }

  private actor Number: StateActor {
    let knot = Knot(0)
  }

  @Test("O14: perform returns an error only if recover received it")
  func failure() async {
    let feed = Feed()
    #expect(await feed.perform(.failInChild) == .carriedOut)
    #expect(feed.state == [])
    #expect(await feed.perform(.cancelThenFail) == .failed(Boom()))
    #expect(feed.state == ["Boom()"])
  }

  @Test("O16, O20: a handler that performs a fresh message of its own id gets the fresh response")
  func freshNotDeadlock() async {
    let feed = Feed()
    await feed.perform(.load)
    await feed.perform(.reload)
    #expect(feed.outcomes.all == [.fresh])
  }

  @Test("S11, S18: a trace handler is neither called nor released while a reducer runs")
  func trace() async {
    let (feed, number, bag) = (Feed(), Number(), TaskBag())
    let seen = Log<String>()
    func trace(_ last: Farewell) {
      feed.trace(in: bag) { event in
        seen.append("\(number.state) \(event.kind.name)")
        _ = last
      }
    }
    trace(Farewell { seen.append("released at \(number.state)") })
    await number.reduce {
      $0 = 1
      feed.send(.load)
    }
    await waitWhile(!seen.all.contains { $0.hasSuffix("ended: carriedOut") })
    await number.reduce {
      $0 = 2
      bag.cancel()
    }
    #expect(seen.all.first == "1 sent")
    #expect(seen.all.last == "released at 2")
  }

  @Test("O21, O5: a message that is still waiting when its holder is released ends with .dropped")
  func releasedWhileWaiting() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (ended, kinds, outcomes) = (Shared(false), Log<String>(), Log<DispatchOutcome>())
      do {
        let worker = Onsite()
        let events = worker.trace
        Task {
          for await event in events { kinds.append(event.kind.name) }
          ended.value = true
        }
        let request = Onsite.Request(id: 1, policy: .debounced("a", for: .seconds(60))) { _ in }
        _ = worker.send(request, while: { true }, if: { true }) { outcomes.append($0) }
        await Task.yield()
      }
      await untilIdle()
      try hold(ended.value && kinds.all.last == "ended: dropped", "\(kinds.all)")
      try hold(outcomes.all == [.dropped], "\(outcomes.all)")
    }
  }

  @Test("O3: a wait whose alarm rings too early because the clock was set back needs a new alarm")
  func clockSetBack() {
    var timing = LaneTiming()
    timing.wait(.seconds(1), atMost: nil, .seconds(10), isFirst: true)
    timing.replaceAlarm(by: .init(deadline: .seconds(11), urgency: 1, number: 1))
    timing.passDeadline(.seconds(5), isFailed: false)
    #expect(timing.alarm == nil && timing.deadline == .seconds(11))
    #expect(!timing.isCovered(for: .seconds(11), at: 1))
  }

  @Test("O12: an undo that cannot restore its state puts back every step that it took")
  func putBack() {
    var steps = UndoSteps<Int>(limit: 10)
    for state in [0, 1, 1] { _ = steps.record(state) }
    let taken = (0..<3).compactMap { _ in steps.take(.back) }
    _ = steps.keep(2, for: .forth)
    #expect(steps.putBack(taken, for: .back) == 2)
    #expect(steps.redoCount == 0)
    #expect((0..<3).map { _ in steps.take(.back) } == [1, 1, 0])
    _ = steps.clear()
    #expect(steps.putBack(taken, for: .back) == nil && steps.undoCount == 0)
  }

  private final class Parcel: Identifiable, Sendable {
    let id: Int
    private let last: Farewell
    init(_ id: Int, _ last: Farewell) { (self.id, self.last) = (id, last) }
  }

  @Test("S18: an item of an outbox is released outside the outbox's lock")
  func itemReleased() async throws {
    let (number, worker, read) = (Number(), Onsite(), Log<Int>())
    let outbox = try await Outbox<Parcel>(
      of: worker, storage: Memory(), encode: { [UInt8($0.id)] },
      decode: { Parcel(Int($0[0]), Farewell {}) },
      request: { Onsite.Request(id: $0.id, policy: .concurrent) { _ in } })
    func send() async throws {
      try await outbox.send(Parcel(1, Farewell { read.append(number.state) }))
    }
    try await send()
    await waitWhile(read.all.isEmpty)
    #expect(read.all == [0] && outbox.state.waiting.isEmpty && worker.state == [1])
  }

  @Test("O19: after the only item of a cancelled id is discarded, later items of the id start")
  func discardedStop() async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await OutboxBench.outbox(of: worker, Memory()) { _ in await gate.wait() }
      try await outbox.send(.init(id: 1))
      await gate.hasArrived(1)
      worker.cancel("outbox")
      gate.open()
      await untilIdle()
      try hold(try await outbox.discard(1) && !outbox.state.isPaused, "\(outbox.state)")
      try await outbox.send(.init(id: 2))
      await untilIdle()
      try hold(worker.state == [2], "\(worker.state)")
    }
  }

  @Test("O19: a message whose condition is false when it is admitted supersedes no other message")
  func unwantedWhenAdmitted() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (worker, gate, outcomes) = (Onsite(), Gate(), Log<DispatchOutcome>())
      worker.send(1, .latest("a")) { _ in await gate.wait() }
      await gate.hasArrived(1)
      let request = Onsite.Request(id: 2, policy: .latest("a")) { _ in }
      _ = worker.send(request, while: { false }, if: { true }, then: { outcomes.append($0) })
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state == [1] && outcomes.all == [.dropped], "\(worker.state)")
    }
  }
}
