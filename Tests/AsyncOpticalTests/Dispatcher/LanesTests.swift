@testable import AsyncOptical

/// The state machine of the policies, step by step.
@Suite struct LanesTests {
  @Test(
    "O3: a debounced message is due a quiet time after the last message, or when the clock fails")
  func due() throws {
    for isFailed in [false, true] {
      var lanes = Lanes<TestItem>()
      let lane = Lane(.debounced, 1)
      for (message, now) in [(1, Duration.zero), (2, .seconds(2))] {
        _ = lanes.admit(TestItem(message, lane, interval: .seconds(3)), now: now)
        #expect(lanes.occupied[lane]?.timing.deadline == now + .seconds(3))
      }
      let early = lanes.startNext(in: lane, now: .seconds(3), isFailed: isFailed)
      #expect(early?.id == (isFailed ? 2 : nil))
      let next = lanes.startNext(in: lane, now: .seconds(5))
      #expect(next?.id == (isFailed ? nil : 2))
      #expect(lanes.finish(TestItem(2, lane)) == false)
      #expect(lanes.isEmpty && lanes.waiting.count == 0)
    }
  }

  @Test("M1: the oldest waiting message is dropped, regardless of its lane")
  func dropsOldest() {
    var lanes = Lanes<TestItem>()
    for id in 0..<9 { _ = lanes.admit(TestItem(id, Lane(.serial, id % 3))) }
    var dropped: [Int] = []
    while let oldest = lanes.dropOldest() { dropped.append(oldest.id) }
    #expect(dropped == [3, 4, 5, 6, 7, 8] && lanes.waiting.count == 0)
  }

  @Test("M1: a message behind a dropped one starts in its place")
  func startsBehindDropped() {
    var lanes = Lanes<TestItem>()
    for id in 0..<9 { _ = lanes.admit(TestItem(id, Lane(.serial, id % 3))) }
    let dropped = [lanes.dropOldest(), lanes.dropOldest()].map { $0?.id }
    #expect(dropped == [3, 4])
    for id in 0..<3 {
      let lane = Lane(.serial, id)
      let isToLookAt = lanes.finish(TestItem(id, lane))
      let next = lanes.startNext(in: lane)?.id
      #expect(isToLookAt && next == [6, 7, 5][id])
    }
    #expect(lanes.waiting.count == 1, "8 waits for 5")
  }
}
