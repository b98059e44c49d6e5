@testable import AsyncOptical

/// How the messages of an opticle pass through the mailbox and its relay.
@Suite struct MailboxTests {
  @Test("M1: handlers start in the order in which the messages were sent")
  func exploredOrder() async {
    await exploreContract(seeds: 2_000) {
      let worker = Onsite()
      _ = worker.droppedCount  // Creates the desk, so that its creation cannot interrupt a send.
      let sent = Log<Int>()
      await withDiscardingTaskGroup { group in
        for sender in 0..<2 {
          group.addTask {
            for step in 0..<3 {
              let message = sender * 3 + step
              // No other job runs between these two calls, because a run can switch tasks only after the mailbox has the message.
              sent.append(message)
              worker.send(message) { _ in for _ in 0..<message % 3 { await Task.yield() } }
              if step > 0 { await Task.yield() }
            }
          }
        }
      }
      await untilIdle()
      let started = worker.started.all
      try hold(started == sent.all, "sent \(sent.all), started \(started)")
    }
  }

  @Test("M1: waiting messages do not keep the actor alive before a runner has started")
  func waitingMessages() async {
    func probe() -> LifetimeProbe {
      let worker = Onsite()
      worker.send(1)
      return LifetimeProbe(worker)
    }
    await probe().expectReleased()
  }

  private struct Item: MailboxItem, Equatable {
    let id: Int
    let mustKeep: Bool
  }

  @Test(
    "M1: a bounded mailbox keeps the order, and never drops a message that it must keep",
    arguments: [MailboxPolicy.oldest(1), .newest(1), .oldest(3), .newest(3)], 0..<50)
  func bounded(policy: MailboxPolicy, seed: Int) {
    let (limit, dropsOldest) =
      switch policy {
      case .oldest(let limit): (limit, false)
      case .newest(let limit): (limit, true)
      case .unbounded: (Int.max, false)
      }
    var random = SeededGenerator(seed: UInt64(seed))
    var mail = IncomingMail<Item>()
    var model: [Item] = []
    var dropped = 0
    for id in 0..<300 {
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        let expected = model.isEmpty ? nil : model.removeFirst()
        let message = mail.popFirst()
        #expect(message == expected)
        continue
      }
      let mustKeep = Int.random(in: 0..<3, using: &random) == 0
      let others = Int.random(in: 0..<2, using: &random)
      let item = Item(id: id, mustKeep: mustKeep)
      let answer = mail.add(item, at: .medium, policy, besides: others)
      var expected: Item?
      let waiting = model.count { !$0.mustKeep }
      if mustKeep || waiting + others < limit || dropsOldest && waiting == 0 {
        model.append(item)
      } else if dropsOldest, let oldest = model.firstIndex(where: { !$0.mustKeep }) {
        expected = model.remove(at: oldest)
        model.append(item)
      } else {
        expected = item
      }
      if expected != nil { dropped += 1 }
      #expect(answer.dropped == expected)
      #expect(mail.count == model.count && mail.dropped == dropped)
    }
  }
}
