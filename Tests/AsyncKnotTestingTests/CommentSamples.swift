import AsyncKnot
import AsyncKnotTesting
import Synchronization
import Testing

// The samples of the documentation comments: compiled, and not run.

private actor Account {
  private(set) var balance = 0
  func deposit(_ amount: Int) { balance += amount }
}

private actor CountNode: Knotable {
  struct State: KnotState {
    var count = 0
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
  func update(_ state: State) {}
}

private typealias State = CountNode.State

private func accounts(
  scenario: @escaping @Sendable () async throws -> Void,
  brokenScenario: @escaping @Sendable () async throws -> Void
) async {
  let outcome = await Exploration(seeds: 10_000).outcome { try await scenario() }
  #expect(outcome.account.schedules > 100)

  let run = await Exploration().run(seed: 7, scenario)
  #expect(run.account.foreignJobs == 0)

  let first = await Exploration().run(seed: 7, scenario)
  let second = await Exploration().run(seed: 7, scenario)
  #expect(first.trace == second.trace)

  let failure = await Exploration(seeds: 500).firstFailure { try await brokenScenario() }
  #expect(failure != nil)
}

private func inputs() {
  do {
    var generator = SeededGenerator(seed: Exploration.seed ?? 0)  // input varies with the order
    print(generator.next())
  }
  var generator = SeededGenerator(seed: 42)
  let rows = generator.array(count: 0...20) { $0.integer(in: 0...9) }
  print(rows)
}

private func watching(_ account: Account) {
  let list = Mutex<[Int]>([])
  watch("balance", of: account) { $0.balance }  // an actor's
  watch("items") { list.withLock { $0.count } }  // any other value
}

private func recording(_ node: CountNode) async {
  do {
    let recorder = Recorder(node.states)
    await node.sink(State(count: 1))
    await recorder.wait { $0.last?.count == 1 }
  }
  do {
    let recorder = Recorder(node.states)
    await node.sink(State(count: 1))
    await untilIdle()
    #expect(recorder.elements.last?.count == 1)
  }
}

private func ticking() async {
  let clock = TestClock()
  let ticks = Recorder(AsyncInterval(every: .seconds(1), after: .seconds(1), clock: clock))
  await clock.advance(by: .seconds(3), sleepers: 1)
  await ticks.wait(for: 3)

  await clock.advance(by: .seconds(3), sleepers: 1)  // an interval of one second ticks three times
}

private func preempting() {
  struct Box { var version = 0 }
  let box = Mutex(Box())
  let seen = box.withLock { $0.version }
  preemptionPoint()  // another thread could come in here
  box.withLock { if $0.version == seen { $0.version += 1 } }
}

private func releasing() async {
  var node: CountNode? = CountNode()
  let probe = node.map { LifetimeProbe($0) }
  node = nil
  await probe?.expectReleased()
}
