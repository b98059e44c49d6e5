import AsyncKnot
import AsyncKnotTesting
@testable import AsyncOptical
import Testing

/// The state machine of the policies under random sequences of messages, ends, timers and
/// cancellations, as the desk would pass them on.
@Suite struct LanesStormTests {
  /// Passes on what the lanes say for one lane, and remembers what happened to each message.
  private struct Office {
    let lane: Lane
    var all = AllLanes()
    var now = Duration.zero
    /// How many `due` mails are in the mailbox.
    var mails = 0
    /// The messages that were admitted and have neither begun nor been dropped, in order.
    var waiting: [Int] = []
    /// The message in flight that is neither superseded nor cancelled; its token is its number.
    var running: Int?
    /// Those that are superseded or cancelled, and have not returned.
    var revoked: [Int] = []
    var started: [Int] = []

    mutating func begin(_ id: Int, superseding: Int?) {
      #expect(superseding == running, "\(String(describing: running)) is still in flight")
      if let running { revoked.append(running) }
      running = id
      started.append(id)
    }

    mutating func send(_ id: Int) {
      switch all.admit(id, to: lane, now: now, interval: .seconds(3)) {
      case .start(let superseded):
        #expect(waiting.isEmpty && (superseded == nil || lane.kind == .latest))
        begin(id, superseding: superseded)
      case .wait:
        #expect(lane.kind.mayWait)
        if lane.kind.isTimed { waiting = [] }
        waiting.append(id)
      case .drop: #expect(lane.kind == .exclusive && running != nil)
      }
    }

    mutating func wakeUp(isFailed: Bool) {
      guard lane.kind.isTimed, let deadline = all.lanes.occupied[lane]?.deadline else { return }
      if isFailed || deadline <= now { deliver(isFailed: isFailed) }
    }

    mutating func deliver(isFailed: Bool = false) {
      // The token is the message, which is known before it starts: the one that has waited longest.
      guard let first = waiting.first else {
        #expect(all.lanes.startNext(in: lane, as: -1, now: now, isFailed: isFailed) == nil)
        return
      }
      guard let next = all.lanes.startNext(in: lane, as: first, now: now, isFailed: isFailed) else {
        return
      }
      #expect(next.message == first)
      waiting.removeFirst()
      begin(first, superseding: next.superseded)
    }

    mutating func end(_ id: Int) {
      if all.finish(id, in: lane, now: now) { mails += 1 }
    }

    mutating func cancel() {
      let cancelled = all.cancel(lane)
      #expect(cancelled.waiting == waiting.count)
      // A serial lane stays with a cancelled message until that has returned.
      #expect(cancelled.inFlight == running || lane.kind == .serial && running == nil)
      waiting = []
      if let running { revoked.append(running) }
      running = nil
    }
  }

  @Test(
    "O3: whatever happens in a lane, one message is in flight at most, cancel finds all, and none is stuck",
    arguments: Lane.Kind.allCases)
  func storm(kind: Lane.Kind) {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var office = Office(lane: Lane(kind, "lane"))
      for id in 0..<60 {
        office.now += .seconds(Int.random(in: 0...2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: office.send(id)
        case 4: office.cancel()
        case 5 where office.mails > 0:
          office.mails -= 1
          office.deliver()
        case 6, 7: office.wakeUp(isFailed: Int.random(in: 0..<5, using: &random) == 0)
        default:
          if let index = office.revoked.indices.randomElement(using: &random) {
            office.end(office.revoked.remove(at: index))
          } else if let running = office.running.take() {
            office.end(running)
          }
        }
        #expect(
          !kind.isTimed || office.waiting.isEmpty || office.running != nil
            || office.all.lanes.occupied[office.lane]?.deadline != nil, "nothing wakes the lane")
        #expect(office.all.lanes.waitingCount == office.waiting.count)
      }
      for _ in 0..<100 {
        office.now += .seconds(3)
        while let id = office.revoked.popLast() { office.end(id) }
        if let running = office.running.take() { office.end(running) }
        office.wakeUp(isFailed: false)
        if office.mails > 0 {
          office.mails -= 1
          office.deliver()
        }
      }
      #expect(office.waiting.isEmpty, "\(office.waiting) are stuck")
      #expect(office.all.isEmpty, "a lane is left")
      #expect(kind != .serial || office.started == office.started.sorted())
    }
  }
}
