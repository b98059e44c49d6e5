import AsyncDiff
import FleetLog
import Testing

/// A writer that cannot append stores the reason, which readers of the log see as long as it applies.
@Suite struct ComplaintTests {
  private let message = LogMessage(
    SnapshotRevision(epoch: 1, number: 1), isFull: true, body: .text("{}"))

  @Test(
    "a writer's complaint stays until the next append, renewal or claim, and complaints of other writers are ignored"
  )
  func rules() {
    var rules = LogRules()
    let now = ContinuousClock.now
    func complaint() -> String? { rules.heads(at: now).first?.complaint }
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(1), at: now)
    rules.complain("A", 2, of: "another's")
    #expect(complaint() == nil)
    rules.complain("A", 1, of: "full")
    #expect(complaint() == "full")
    let outcome = rules.append(message, to: "A", at: now)
    #expect(outcome == .appended)
    #expect(complaint() == nil)
    _ = rules.renew("A", 1, trouble: "too long", at: now)
    #expect(complaint() == "too long")
    _ = rules.renew("A", 1, trouble: nil, at: now)
    #expect(complaint() == nil)
    for epoch: UInt64 in [1, 2] {
      rules.complain("A", 1, of: "full")
      _ = rules.claim("A", as: epoch, inPlaceOf: 1, lease: .seconds(1), at: now)
      #expect(complaint() == nil, "the claim as \(epoch) has a complaint")
    }
  }

  @Test("a complaint is not a heartbeat: if a writer only complains, its claim expires")
  func noHeartbeat() {
    var rules = LogRules()
    let now = ContinuousClock.now
    _ = rules.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(1), at: now)
    rules.complain("A", 1, of: "full")
    #expect(rules.heads(at: now + .seconds(1)).first?.isAlive == false)
  }
}
