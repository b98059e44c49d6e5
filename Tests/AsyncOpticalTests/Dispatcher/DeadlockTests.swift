@testable import AsyncOptical

/// Handlers that perform messages of their own holder.
@Suite struct DeadlockTests {
  /// A request that performs other requests, one after another.
  private struct Step: Sendable {
    let id: Int
    let policy: DispatchPolicy
    var calls: [Step] = []
    var place = Place.itself
  }

  /// The kind of task from which a handler performs messages.
  enum Place: CaseIterable, Sendable { case itself, child, unstructured }

  private actor Holder: Opticle {
    let knot = Knot<[Int]>([])
    let clock = TestClock()
    let said = Log<String>()

    nonisolated func policy(for step: Step) -> DispatchPolicy { step.policy }
    func dispatch(_ step: Step) async {
      switch step.place {
      case .itself: await call(step)
      case .child:
        await withDiscardingTaskGroup { group in
          for each in step.calls { group.addTask { await self.call(step.id, each) } }
        }
      case .unstructured: await Task { await call(step) }.value
      }
      commit(step.id)
    }
    private func call(_ step: Step) async { for each in step.calls { await call(step.id, each) } }
    private func call(_ id: Int, _ step: Step) async {
      said.append("\(step.id) in \(id): \(await perform(step))")
    }
    func mutate(_ state: inout [Int], response: Int) { state.append(response) }
    func recover(_ state: inout [Int], request: Step, error: any Error) {}
  }

  @Test("O16: a message that waits behind another one does not make the other one look deadlocked")
  func laterLimit() async {
    await exploreContract(seeds: 500) {
      let (worker, start, end, outcomes) = (Onsite(), Gate(), Gate(), Log<DispatchOutcome>())
      worker.send(1, .serial("a", atMost: 2)) { worker in
        await start.wait()
        outcomes.append(await worker.perform(.init(id: 5, policy: .serial("b")) { _ in }))
      }
      worker.send(2, .serial("a", atMost: 2)) { _ in await end.wait() }
      await untilIdle()
      worker.send(3, .serial("b")) { worker in
        await worker.perform(.init(id: 4, policy: .serial("a", atMost: 2)) { _ in })
      }
      await untilIdle()
      worker.send(6, .serial("a", atMost: 1))
      await untilIdle()
      start.open()
      await untilIdle()
      end.open()
      await untilIdle()
      try hold(outcomes.all == [.carriedOut], "\(outcomes.all)")
      try hold(worker.state == [2, 4, 3, 5, 1, 6], "\(worker.state)")
    }
  }

  /// Performs messages concurrently while time passes, and throws unless all of them end.
  private static func play(_ steps: [Step], on holder: Holder) async throws {
    let ended = Log<Int>()
    let tasks = steps.map { step in
      Task(executorPreference: Exploration.executor) {
        await holder.perform(step)
        ended.append(step.id)
      }
    }
    for _ in 0..<30 where ended.all.count < steps.count {
      await untilIdle()
      try await holder.clock.sleep(for: .seconds(1))
    }
    try hold(ended.all.count == steps.count, "only \(ended.all) of \(steps.map(\.id)) have ended")
    for task in tasks { await task.value }
    // The interval of a throttled id continues after its last message.
    try await holder.clock.sleep(for: .seconds(2))
    await untilIdle()
    try hold(
      holder.desk.unfinishedCount == 0, "\(holder.desk.unfinishedCount) messages are unfinished")
    try hold(holder.desk.lanes.isEmpty, "a lane was not removed")
  }

  @Test(
    "O16: a handler that performs a message of its own id does not wait for itself",
    arguments: Lane.Kind.withID, Place.allCases)
  func itself(kind: Lane.Kind, place: Place) async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (holder, policy) = (Holder(), kind.policy("a"))
      let step = Step(id: 1, policy: policy, calls: [Step(id: 2, policy: policy)], place: place)
      try await Self.play([step], on: holder)
      let supersedes = kind == .latest || kind == .debounced
      let outcome: DispatchOutcome = supersedes ? .carriedOut : .deadlock
      try hold(holder.said.all == ["2 in 1: \(outcome)"], "\(holder.said.all)")
      try hold(holder.state == [supersedes ? 2 : 1], "\(holder.state)")
    }
  }

  @Test(
    "O16: a call returns .deadlock if and only if it would close a cycle of two messages",
    arguments: Lane.Kind.allCases, Lane.Kind.allCases)
  func two(first: Lane.Kind, second: Lane.Kind) async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let (holder, policy) = (Holder(), first.policy("a"))
      let last = Step(id: 3, policy: policy)
      let step = Step(
        id: 1, policy: policy, calls: [Step(id: 2, policy: second.policy("b"), calls: [last])])
      try await Self.play([step], on: holder)
      let isCycle = [.serial, .exclusive, .throttled].contains(first)
      try hold(
        holder.said.all.contains("3 in 2: \(isCycle ? .deadlock : DispatchOutcome.carriedOut)"),
        "\(holder.said.all)")
    }
  }

  @Test("O16, O17: with a limit of two, at most one of two blocking calls returns .deadlock")
  func several() async {
    await exploreContract(seeds: 500) {
      let (holder, policy) = (Holder(), DispatchPolicy.serial("a", atMost: 2))
      let steps = [1, 2].map { id in
        Step(id: id, policy: policy, calls: [Step(id: id + 10, policy: policy)])
      }
      try await Self.play(steps, on: holder)
      let told = holder.said.all.count { $0.hasSuffix("deadlock") }
      try hold(told <= 1, "\(holder.said.all)")
    }
  }

  @Test("O16: a call is not a deadlock if its message can start now or when another one ends")
  func none() async {
    await exploreContract(seeds: 500) {
      let holder = Holder()
      let inner = Step(id: 11, policy: .serial("a", atMost: 2))
      let steps = [
        Step(id: 1, policy: .serial("a", atMost: 2), calls: [inner]),
        Step(id: 2, policy: .serial("a", atMost: 2)),
        Step(id: 3, policy: .exclusive("b"), calls: [Step(id: 13, policy: .serial("c"))]),
        Step(id: 4, policy: .serial("c")),
      ]
      try await Self.play(steps, on: holder)
      try hold(!holder.said.all.contains { $0.hasSuffix("deadlock") }, "\(holder.said.all)")
    }
  }

  /// An id that counts how often ids are compared.
  private struct CountedID: Hashable, Sendable {
    let name: String
    let comparisons: Log<Bool>
    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.comparisons.append(true)
      return lhs.name == rhs.name
    }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// Returns how often ids are compared while `count` messages wait, each of which performs a message under its caller's id.
  private static func comparisons(of count: Int) async -> Int {
    let (worker, comparisons) = (Onsite(), Log<Bool>())
    func policy(_ name: String, atMost limit: Int) -> DispatchPolicy {
      .serial(CountedID(name: name, comparisons: comparisons), atMost: limit)
    }
    let (sync, upload) = (policy("sync", atMost: 2), policy("upload", atMost: 3))
    await worker.perform(
      .init(id: 0, policy: sync) { worker in
        await withDiscardingTaskGroup { group in
          for number in 1...count {
            group.addTask {
              await worker.perform(
                .init(id: number, policy: upload) { worker in
                  await worker.perform(.init(id: -number, policy: sync) { _ in })
                })
            }
          }
        }
      })
    return comparisons.all.count
  }

  @Test("O16: the check for a deadlock takes time proportional to the waiting messages")
  func cost() async {
    let (few, many) = (await Self.comparisons(of: 100), await Self.comparisons(of: 200))
    #expect(many < 5 * few, "\(few) comparisons with 100 messages, \(many) with 200")
  }

  @Test("O16: a task left behind by an ended message causes no deadlock")
  func leftBehind() async {
    await exploreContract(seeds: 500) {
      let (worker, late, gate, said) = (Onsite(), Gate(), Gate(), Log<DispatchOutcome>())
      worker.send(1, .serial("a")) { worker in
        await worker.perform(
          .init(id: 2, policy: .exclusive("b")) { worker in
            Task {
              await late.wait()
              said.append(await worker.perform(.init(id: 3, policy: .serial("a")) { _ in }))
            }
          })
        late.open()
        await gate.wait()
      }
      await untilIdle()
      try hold(said.all.isEmpty, "\(said.all)")
      gate.open()
      await untilIdle()
      try hold(said.all == [.carriedOut], "\(said.all)")
      try hold(worker.state == [2, 1, 3], "\(worker.state)")
    }
  }

  /// Returns a message with nested calls, `depth` levels deep.
  ///
  /// If `isOrdered`, no call has the lane of one of its callers.
  private static func tree(
    _ depth: Int, _ ids: inout Int, isOrdered: Bool, _ random: inout SeededGenerator
  ) -> Step {
    ids += 1
    let (id, name) = (ids, isOrdered ? "\(depth)" : "\(Int.random(in: 0..<2, using: &random))")
    let policies: [DispatchPolicy] = [
      .concurrent, .serial(name), .serial(name, atMost: 2), .latest(name), .exclusive(name),
      .throttled(name, for: .seconds(1)),
    ]
    let policy = policies.randomElement(using: &random) ?? .concurrent
    let calls = (0..<(depth == 0 ? 0 : Int.random(in: 0...2, using: &random))).map { _ in
      tree(depth - 1, &ids, isOrdered: isOrdered, &random)
    }
    return Step(
      id: id, policy: policy, calls: calls,
      place: Place.allCases.randomElement(using: &random) ?? .itself)
  }

  @Test(
    "O16: all calls of random handlers end, and return .deadlock only if they can form a cycle",
    arguments: [true, false])
  func storm(isOrdered: Bool) async {
    for seed in 0..<100 {
      await exploreContract(seeds: 20, allowing: [.noChoice]) {
        var (random, ids) = (SeededGenerator(seed: UInt64(seed)), 0)
        let steps = (0..<4).map { _ in
          Self.tree(3, &ids, isOrdered: isOrdered, &random)
        }
        let holder = Holder()
        try await Self.play(steps, on: holder)
        let isTold = holder.said.all.contains { $0.hasSuffix("deadlock") }
        try hold(!isOrdered || !isTold, "\(holder.said.all)")
      }
    }
  }
}
