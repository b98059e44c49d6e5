@testable import AsyncOptical

/// How the next message of an id starts after the message in flight was cancelled.
@Suite struct CancelledStartTests {
  /// An opticle that shows a number while it waits for a service that ignores cancellation.
  private actor Shop: Opticle {
    let knot = Knot<[Int]>([])
    let clock = TestClock()
    let gate = Gate()
    let policy: DispatchPolicy
    /// The state that each message found at its start.
    let found = Log<[Int]>()

    init(_ policy: DispatchPolicy) { self.policy = policy }

    func dispatch(_ number: Int) async {
      found.append(state)
      await commit(from: number, expecting: number) { [gate] in await gate.wait() }
    }
    func sendThenCancelBag(_ number: Int) {
      send(number)
      knot.bag.cancel()
    }
    nonisolated func policy(for number: Int) -> DispatchPolicy { policy }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
  }

  @Test(
    "O3, O15: the next message starts after the changes of a cancelled message are removed",
    arguments: Lane.Kind.withID, [true, false])
  func next(kind: Lane.Kind, byID: Bool) async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let shop = Shop(kind.policy("a"))
      shop.send(1)
      await untilIdle()
      try await shop.clock.sleep(for: .seconds(2))
      try hold(shop.state == [1], "\(shop.state) is shown")
      if byID { shop.cancel("a") } else { shop.knot.bag.cancel() }
      shop.send(2)
      await untilIdle()
      try await shop.clock.sleep(for: .seconds(2))
      let count = kind == .serial ? 1 : 2
      try hold(shop.found.all.count == count, "\(shop.found.all.count) have started")
      shop.gate.open()
      await untilIdle()
      try hold(shop.found.all == [[], []], "the messages found \(shop.found.all)")
      try hold(shop.state == [2], "\(shop.state)")
      try hold(
        shop.desk.lanes.isEmpty && shop.clock.sleeperCount == 0, "a lane or a timer was not removed"
      )
    }
  }

  @Test(
    "O3, O15: even if its id has room, a message starts only after a cancelled message's changes are removed"
  )
  func besideCancelled() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let shop = Shop(.serial("a", atMost: 2))
      shop.send(1)
      await untilIdle()
      try hold(shop.state == [1], "\(shop.state) is shown")
      // The mailbox delivers the bag's cancellation only after the second message.
      await shop.sendThenCancelBag(2)
      await untilIdle()
      try hold(shop.found.all == [[], []], "the messages found \(shop.found.all)")
      shop.gate.open()
      await untilIdle()
      try hold(shop.state == [2] && shop.desk.lanes.isEmpty, "\(shop.state)")
    }
  }
}
