@testable import AsyncKnot
import AsyncKnotTesting
import Testing

/// The values of a mailbox, judged by slow models.
@Suite struct MailboxQueueTests {
  @Test("F2: a set of priorities answers as a set of numbers does", arguments: 0..<20)
  func priorities(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var set = Priorities()
    var model: Set<UInt8> = []
    for _ in 0..<500 {
      let value = UInt8.random(in: 0...255, using: &random)
      if Bool.random(using: &random) {
        set.insert(TaskPriority(rawValue: value))
        model.insert(value)
      } else if let removed = Bool.random(using: &random) ? model.max() : value {
        set.remove(TaskPriority(rawValue: removed))
        model.remove(removed)
      }
      for asked in [value, value &+ 1, value &- 1, 0, 127, 128, 255] {
        let priority = TaskPriority(rawValue: asked)
        #expect(set.reach(priority) == model.contains { $0 >= asked }, "\(asked) in \(model)")
        #expect(set.exceed(priority) == model.contains { $0 > asked }, "\(asked) in \(model)")
      }
    }
  }

  @Test(
    "M1: a bounded mailbox keeps the order, and drops only what may be dropped",
    arguments: [MailboxPolicy.oldest(1), .newest(1), .oldest(3), .newest(3)], 0..<50)
  func bounded(policy: MailboxPolicy, seed: Int) {
    let (limit, dropsOldest) =
      switch policy {
      case .oldest(let limit): (limit, false)
      case .newest(let limit): (limit, true)
      case .unbounded: (Int.max, false)
      }
    var random = SeededGenerator(seed: UInt64(seed))
    var mail = IncomingMail<Int>()
    var model: [(id: Int, mustKeep: Bool)] = []
    var dropped = 0
    for id in 0..<300 {
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        let expected = model.isEmpty ? nil : model.removeFirst().id
        let message = mail.popFirst()
        #expect(message == expected)
        continue
      }
      let mustKeep = Int.random(in: 0..<3, using: &random) == 0
      let answer = mail.add(id, at: .medium, policy, mustKeep: mustKeep)
      var expected: Int?
      let isFull = model.count { !$0.mustKeep } >= limit
      if mustKeep || !isFull {
        model.append((id, mustKeep))
      } else if dropsOldest, let oldest = model.firstIndex(where: { !$0.mustKeep }) {
        expected = model.remove(at: oldest).id
        model.append((id, mustKeep))
      } else {
        expected = id
      }
      if expected != nil { dropped += 1 }
      #expect(answer.dropped == expected)
      #expect(mail.count == model.count && mail.dropped == dropped)
    }
  }
}
