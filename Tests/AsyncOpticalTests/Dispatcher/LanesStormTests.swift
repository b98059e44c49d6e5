@testable import AsyncOptical

/// Drives the state machine of the policies like a desk, with random messages, ends, timers and cancellations.
@Suite struct LanesStormTests {
  /// A desk for one lane, which carries out the decisions of `Lanes` and records what happened to each message.
  private struct Office {
    let lane: Lane
    let limit: Int
    var lanes = Lanes<TestItem>()
    var now = Duration.zero
    /// The number of `due` items in the mailbox.
    var mails = 0
    /// The number of cancellations in the mailbox that have already taken effect.
    var recalls = 0
    /// The messages that were admitted and have neither begun nor been dropped, in order.
    var waiting: [Int] = [] { didSet { if waiting.isEmpty { urgency = 0 } } }
    /// The highest urgency of the messages that have waited since `waiting` was last empty.
    var urgency: UInt8 = 0
    /// The messages in flight that are neither superseded nor cancelled.
    var running: [Int] = []
    /// The superseded or cancelled messages whose handlers have not returned.
    var revoked: [Int] = []
    var started: [Int] = []

    mutating func begin(_ id: Int) {
      running.append(id)
      started.append(id)
      let busy = running.count + (lane.kind == .serial ? revoked.count : 0)
      #expect(busy <= limit, "\(running) are in flight")
    }

    mutating func supersede(_ superseded: TestItem?) {
      #expect(superseded.map { [$0.id] } ?? [] == running, "\(running) is still in flight")
      revoked += running
      running = []
    }

    mutating func send(_ id: Int, interval: Int, urgency: UInt8) {
      let item = TestItem(
        id, lane, limit: limit, interval: lane.kind.isTimed ? .seconds(interval) : nil,
        urgency: urgency)
      if recalls > 0 {
        guard case .refuse = lanes.admit(item, now: now) else {
          Issue.record("\(id) was sent before a cancellation, but was not refused")
          return
        }
        return
      }
      switch lanes.admit(item, now: now) {
      case .start(let superseded, let dropped):
        #expect(dropped.map { [$0.id] } ?? [] == waiting)
        if !waiting.isEmpty || lane.kind == .debounced {
          #expect(lane.kind == .debounced && interval == 0)
        }
        waiting = []
        if lane.kind == .latest || lane.kind == .debounced {
          supersede(superseded)
        } else {
          #expect(superseded == nil)
        }
        begin(id)
      case .wait(let dropped, let superseded):
        if lane.kind.isTimed {
          #expect(dropped.map { [$0.id] } ?? [] == waiting)
          waiting = []
        } else {
          #expect(lane.kind == .serial && dropped == nil)
        }
        if lane.kind == .debounced { supersede(superseded) } else { #expect(superseded == nil) }
        waiting.append(id)
        self.urgency = max(self.urgency, urgency)
      case .join(let other): #expect(lane.kind == .exclusive && running == [other.id])
      case .refuse: Issue.record("\(id) was sent after all cancellations, but was refused")
      case .fresh: Issue.record("\(id) does not accept a fresh response, but got one")
      }
    }

    mutating func wakeUp(isFailed: Bool) {
      guard lane.kind.isTimed, let deadline = lanes.occupied[lane]?.timing.deadline else { return }
      if isFailed || deadline <= now { deliver(isFailed: isFailed) }
    }

    mutating func deliver(isFailed: Bool = false) {
      guard let next = lanes.startNext(in: lane, now: now, isFailed: isFailed) else { return }
      #expect(next.id == waiting.first)
      waiting.removeFirst()
      begin(next.id)
      lookAtLane()
    }

    mutating func end(_ id: Int) {
      if lanes.finish(TestItem(id, lane), now: now) { lookAtLane() }
    }

    mutating func dropOldest() {
      let oldest = lanes.dropOldest()
      #expect(oldest?.id == waiting.first)
      guard oldest != nil else { return }
      waiting.removeFirst()
      lookAtLane()
    }

    mutating func lookAtLane() {
      if lanes.occupied[lane]?.isDue == true { mails += 1 }
    }

    mutating func cancel() {
      recalls += 1
      let cancelled = lanes.recall(lane.id).first
      #expect((cancelled?.waiting.count ?? 0) == waiting.count)
      // Cancelled messages occupy a serial lane until they have returned.
      let busy = running + (lane.kind == .serial ? revoked : [])
      #expect(Set(cancelled?.inFlight.map(\.id) ?? []) == Set(busy))
      waiting = []
      revoked += running
      running = []
    }
  }

  @Test(
    "O3, O17, F2: during random events, an id keeps its limit and the urgency of its waiting messages, and none is stuck",
    arguments: Lane.Kind.withID, [1, 3])
  func storm(kind: Lane.Kind, limit: Int) {
    guard kind == .serial || limit == 1 else { return }
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var office = Office(lane: Lane(kind, "lane"), limit: limit)
      for id in 0..<60 {
        office.now += .seconds(Int.random(in: 0...2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let shortest = kind == .debounced ? 0 : 1
          office.send(
            id, interval: Int.random(in: shortest...3, using: &random),
            urgency: .random(in: 1...4, using: &random))
        case 4 where office.recalls > 0 && Bool.random(using: &random):
          office.recalls -= 1
          office.lanes.endRecall(office.lane.id)
        case 4: office.cancel()
        case 5 where office.mails > 0:
          office.mails -= 1
          office.deliver()
        case 6, 7: office.wakeUp(isFailed: Int.random(in: 0..<5, using: &random) == 0)
        case 8 where Int.random(in: 0..<4, using: &random) == 0: office.dropOldest()
        default:
          if let index = office.revoked.indices.randomElement(using: &random) {
            office.end(office.revoked.remove(at: index))
          } else if let index = office.running.indices.randomElement(using: &random) {
            office.end(office.running.remove(at: index))
          }
        }
        #expect(
          !kind.isTimed || office.waiting.isEmpty || !office.running.isEmpty
            || office.lanes.occupied[office.lane]?.timing.deadline != nil, "nothing wakes the lane")
        #expect(office.lanes.waiting.count == office.waiting.count)
        #expect(office.lanes.occupied[office.lane]?.urgency ?? 0 == office.urgency)
      }
      for _ in 0..<office.recalls { office.lanes.endRecall(office.lane.id) }
      for _ in 0..<100 {
        office.now += .seconds(3)
        while let id = office.revoked.popLast() { office.end(id) }
        if let running = office.running.popLast() { office.end(running) }
        office.wakeUp(isFailed: false)
        if office.mails > 0 {
          office.mails -= 1
          office.deliver()
        }
      }
      #expect(office.waiting.isEmpty, "\(office.waiting) are stuck")
      #expect(office.lanes.isEmpty, "a lane was not removed")
      #expect(kind != .serial || office.started == office.started.sorted())
    }
  }
}
