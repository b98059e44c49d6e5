import AsyncDiff
import FleetLog
import Testing

/// The rules of an engine, tested without a clock.
@Suite struct LogRulesTests {
  private let start = ContinuousClock.now

  private func message(_ epoch: UInt64, _ number: UInt64, isFull: Bool = false) -> LogMessage {
    LogMessage(SnapshotRevision(epoch: epoch, number: number), isFull: isFull, body: .text("{}"))
  }

  @Test("D25: an append renews the claim")
  func appendRenews() {
    var rules = LogRules()
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(10), at: start)
    #expect(
      rules.append(message(1, 1, isFull: true), to: "A", at: start + .seconds(8)) == .appended)
    let now = start + .seconds(15)
    let outcome = rules.claim("A", as: 2, inPlaceOf: nil, lease: .seconds(10), at: now)
    #expect(outcome == .taken(for: .seconds(3)))
    #expect(rules.heads(at: now).map(\.isAlive) == [true])
  }

  @Test("D25: after a release, the next claim does not wait")
  func release() {
    var rules = LogRules()
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(10), at: start)
    rules.release("A", 2)
    #expect(
      rules.claim("A", as: 2, inPlaceOf: nil, lease: .seconds(10), at: start)
        == .taken(for: .seconds(10)), "another writer's release does nothing")
    rules.release("A", 1)
    #expect(rules.claim("A", as: 2, inPlaceOf: nil, lease: .seconds(10), at: start) == .granted)
  }

  @Test("D25: a claim has its own lease, not the lease of the previous claim")
  func ownLease() {
    var rules = LogRules()
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(1), at: start)
    let taken = start + .seconds(1)
    #expect(rules.claim("A", as: 2, inPlaceOf: nil, lease: .seconds(10), at: taken) == .granted)
    #expect(rules.heads(at: taken + .seconds(9)).map(\.isAlive) == [true])
    #expect(rules.heads(at: taken + .seconds(10)).map(\.isAlive) == [false])
  }

  @Test("a full snapshot keeps the 64 messages before it, from which a late follower continues")
  func retention() {
    var rules = LogRules()
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(1), at: start)
    for number: UInt64 in 1...97 {
      let isFull = number % LogMessage.stride == 1
      _ = rules.append(message(1, number, isFull: isFull), to: "A", at: start)
    }
    func numbers(since number: UInt64) -> [UInt64] {
      rules.messages(of: "A", since: SnapshotRevision(epoch: 1, number: number))
        .map(\.revision.number)
    }
    #expect(numbers(since: 40) == Array(41...97))
    #expect(numbers(since: 32) == Array(33...97))
    #expect(numbers(since: 10) == Array(33...97))
    #expect(rules.messages(of: "A", since: nil).first?.revision.number == 33)
  }
}
