import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// A bounded mailbox drops messages of users, never what the policies need.
@Suite struct BoundedMailboxTests {
  @Test(
    "O3, M1: a lane goes on, however full the mailbox is when its message ends",
    arguments: [MailboxPolicy.oldest(1), .newest(1), .oldest(2), .newest(2)])
  func serialLane(policy: MailboxPolicy) async {
    await exploreContract(seeds: 1_000) {
      let (worker, gate) = (Onsite(policy), Gate())
      worker.send(1, .serial(0)) { _ in await gate.wait() }
      await untilIdle()
      worker.send(2, .serial(0))
      await untilIdle()
      await withDiscardingTaskGroup { group in
        group.addTask { gate.open() }
        group.addTask { for id in 10..<14 { worker.send(id) } }
      }
      await untilIdle()
      worker.send(3, .serial(0))
      await untilIdle()
      let serial = worker.state.filter { $0 < 10 }
      try hold(serial == [1, 2, 3], "the lane did \(serial)")
      let lost = (10..<14).count { !worker.state.contains($0) }
      try hold(worker.droppedCount == lost, "\(worker.droppedCount) of \(lost) are counted")
    }
  }

  @Test(
    "O3, M1: a message whose time has come starts, however full the mailbox is",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func timedLane(policy: MailboxPolicy) async {
    await exploreContract(seeds: 1_000) {
      let clock = TestClock()
      let worker = Onsite(policy, clock: clock)
      worker.send(1, .debounced(0, for: .seconds(1)))
      await untilIdle()
      try await clock.sleep(for: .seconds(1))
      for id in 10..<14 { worker.send(id) }
      await untilIdle()
      try hold(worker.state.contains(1), "\(worker.state)")
    }
  }

  @Test(
    "O3, M1: cancel(id) reaches its messages, however full the mailbox is",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func cancel(policy: MailboxPolicy) async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(policy), Gate())
      worker.send(1, .latest("page")) { _ in await gate.wait() }
      await untilIdle()
      for id in 10..<12 { worker.send(id) }
      worker.cancel("page")
      for id in 12..<14 { worker.send(id) }
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(!worker.state.contains(1), "\(worker.state)")
    }
  }
}
