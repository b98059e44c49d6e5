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
    var lanes: Lanes<Int, Int>
    var now = Duration.zero
    /// The time at which the timer wakes up.
    var timer: Duration?
    /// How many `due` mails are in the mailbox.
    var mails = 0
    /// The messages that were admitted and have neither begun nor been dropped, in order.
    var waiting: [Int] = []
    /// The numbers of the messages in flight that are neither superseded nor cancelled.
    var running: [Int: Int] = [:]
    /// The numbers of those that are superseded or cancelled, and have not returned.
    var revoked: [Int] = []
    var started: [Int] = []
    /// The tokens of the messages that have waited; the others are their own tokens.
    var tokens: [Int: Int] = [:]

    mutating func begin(_ id: Int, _ number: Int, superseding: Int?) {
      if let superseded = superseding, let number = running.removeValue(forKey: superseded) {
        revoked.append(number)
      }
      running[id] = number
      started.append(id)
    }

    mutating func send(_ id: Int) {
      let (admission, number, dropped) = lanes.admit(
        id, to: lane, now: now, interval: .seconds(3), as: id)
      waiting.removeAll { $0 == dropped }
      switch admission {
      case .start(let superseded): begin(id, number, superseding: superseded)
      case .startWithTimer(let deadline):
        timer = deadline
        begin(id, number, superseding: nil)
      case .delay(let deadline):
        if let deadline { timer = deadline }
        waiting.append(id)
      case .wait: waiting.append(id)
      case .drop: break
      }
    }

    mutating func wakeUp() {
      guard let deadline = timer, deadline <= now else { return }
      switch lanes.due(in: lane, at: now) {
      case .sleep(let next): timer = next
      case .start(let next):
        timer = next
        mails += 1
      case nil: timer = nil
      }
    }

    mutating func deliver() {
      guard mails > 0 else { return }
      mails -= 1
      guard let next = lanes.startNext(in: lane, as: 1_000 + started.count) else { return }
      #expect(waiting.contains(next.message), "\(next.message) was cancelled, or has begun before")
      waiting.removeAll { $0 == next.message }
      if let superseded = next.superseded {
        let id = running.first { tokens[$0.key] ?? $0.key == superseded }?.key
        begin(next.message, next.number, superseding: id)
      } else {
        begin(next.message, next.number, superseding: nil)
      }
      tokens[next.message] = 1_000 + started.count - 1
    }

    mutating func end(_ number: Int) {
      switch lanes.finish(number, in: lane) {
      case .start: mails += 1
      case .resume: timer = lanes.resume(lane, at: now)?.deadline ?? timer
      case nil: break
      }
    }

    mutating func cancel() {
      let (token, dropped) = lanes.cancel(lane)
      timer = nil
      #expect(Set(dropped) == Set(waiting))
      waiting = []
      let isComplete = running.allSatisfy { (tokens[$0.key] ?? $0.key) == token }
      #expect(isComplete, "of \(running) only \(String(describing: token)) was cancelled")
      revoked += running.values
      running = [:]
    }
  }

  @Test(
    "O3: whatever happens in a lane, one message is in flight at most, cancel finds all, and none is stuck",
    arguments: Lane.Kind.allCases, [MailboxPolicy.unbounded, .oldest(2), .newest(2)])
  func storm(kind: Lane.Kind, policy: MailboxPolicy) {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var office = Office(lane: Lane(kind, "lane"), lanes: Lanes(policy))
      for id in 0..<60 {
        office.now += .seconds(Int.random(in: 0...2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: office.send(id)
        case 4: office.cancel()
        case 5, 6: office.deliver()
        case 7: office.wakeUp()
        default:
          if let index = office.revoked.indices.randomElement(using: &random) {
            office.end(office.revoked.remove(at: index))
          } else if let running = office.running.popFirst() {
            office.end(running.value)
          }
        }
        #expect(office.running.count <= 1, "\(office.running) at once")
        #expect(
          !kind.isTimed || office.waiting.isEmpty || office.timer != nil || office.mails > 0
            || !office.running.isEmpty, "nothing wakes the lane")
        #expect(office.lanes.waitingCount == office.waiting.count)
      }
      for _ in 0..<100 {
        office.now += .seconds(3)
        while let number = office.revoked.popLast() { office.end(number) }
        while let running = office.running.popFirst() { office.end(running.value) }
        office.wakeUp()
        office.deliver()
      }
      #expect(office.waiting.isEmpty, "\(office.waiting) are stuck")
      #expect(office.lanes.isEmpty, "a lane is left")
      #expect(kind != .serial || office.started == office.started.sorted())
    }
  }
}
