import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// Many requests, on real threads.
@Suite struct StormTests {
  static let policies: [DispatchPolicy] = [
    .concurrent, .serial("a"), .latest("a"), .exclusive("a"),
    .debounced("a", for: .milliseconds(1)),
  ]

  @Test(
    "O3: of at least 10,000 requests under one policy, those that start do so in the order sent",
    .timeLimit(.minutes(30)), arguments: 0..<policies.count)
  func inOrder(index: Int) async {
    let policy = Self.policies[index]
    let worker = Worker()
    let count = isSanitized ? 10_000 : 20_000
    let isDebounced = if case .debounced = policy { true } else { false }
    // An exclusive lane may be busy when the last request arrives.
    let mark = isDebounced ? count - 1 : count
    for id in 0..<mark { worker.send(id, policy) }
    // A serial lane starts its requests one by one, long after they were sent.
    let isLast =
      switch policy {
      case .serial, .debounced: true
      default: false
      }
    // Wait with `perform`: if an observer waited, each commit would copy the state that the observer holds.
    await worker.perform(Worker.Request(id: mark, policy: isLast ? policy : .concurrent))
    #expect(worker.state.done.contains(mark))
    let started = worker.started.all
    let isAscending = zip(started, started.dropFirst()).allSatisfy { $0 < $1 }
    #expect(isAscending)
    switch policy {
    case .concurrent, .serial, .latest: #expect(started.count >= count)
    case .exclusive: #expect(started.count > 1)
    case .debounced, .throttled: #expect(started.last == count - 1)
    }
  }

  @Test(
    "O1: 64 concurrent senders lose no request, and each sender's requests start in order",
    .timeLimit(.minutes(30)),
    arguments: [DispatchPolicy.concurrent, .serial("a")].indices)
  func manySenders(index: Int) async {
    let policy = [DispatchPolicy.concurrent, .serial("a")][index]
    let worker = Worker()
    await withDiscardingTaskGroup { group in
      for sender in 0..<64 {
        group.addTask { for step in 0..<200 { worker.send(sender * 200 + step, policy) } }
      }
    }
    await worker.ended.reaches(64 * 200)
    let hasAll = worker.state.done.sorted() == Array(0..<64 * 200)
    #expect(hasAll)
    // Each sender's requests start in the order it sent them.
    let started = worker.started.all
    for sender in [0, 31, 63] {
      let own = started.filter { $0 / 200 == sender }
      let isInOrder = own == own.sorted()
      #expect(isInOrder)
    }
  }

  @Test(
    "O4: of 10,000 requests under a latest policy, only the last one commits",
    .timeLimit(.minutes(30))
  )
  func latest() async {
    let worker = Worker()
    let gate = Gate()
    for id in 0..<10_000 { worker.send(id, .latest("page")) { await gate.wait() } }
    await worker.started.reaches(10_000)
    gate.open()
    await worker.ended.reaches(10_000)
    #expect(worker.state.done == [9_999])
  }

  @Test(
    "O5: an opticle that is released during work leaves nothing running",
    .timeLimit(.minutes(30)))
  func released() async {
    let running = Log<Int>()
    let ended = Log<Int>()
    var probes: [LifetimeProbe] = []
    for round in 0..<200 {
      let worker = Worker()
      probes.append(LifetimeProbe(worker))
      worker.watch.live(in: worker.knot.bag) { _ in await Task.yield() }
      for id in 0..<5 {
        let policy = Self.policies[(id + round) % Self.policies.count]
        worker.send(id, policy) {
          running.append(id)
          await Task.yield()
          ended.append(id)
        }
      }
    }
    for probe in probes {
      await waitWhile(!probe.isReleased)
      await probe.expectReleased()
    }
    #expect(running.all.count == ended.all.count)
  }
}

extension Log {
  /// Waits until the log has `count` entries.
  fileprivate func reaches(_ count: Int) async {
    await waitWhile(self.count < count)
  }
}
