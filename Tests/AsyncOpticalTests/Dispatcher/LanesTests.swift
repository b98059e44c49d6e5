@testable import AsyncOptical
import Testing

/// The state machine of the policies, step by step.
@Suite struct LanesTests {
  @Test("O3: a debounced message is due a quiet time after the last one, or when the clock fails")
  func due() throws {
    for isFailed in [false, true] {
      var lanes = Lanes<Int, Int>()
      let lane = Lane(.debounced, 1)
      for (message, now) in [(1, Duration.zero), (2, .seconds(2))] {
        _ = lanes.admit(message, to: lane, as: message, now: now, interval: .seconds(3))
        #expect(lanes.occupied[lane]?.deadline == now + .seconds(3))
      }
      let early = lanes.startNext(in: lane, as: 0, now: .seconds(3), isFailed: isFailed)
      #expect(early?.message == (isFailed ? 2 : nil))
      let next = lanes.startNext(in: lane, as: 0, now: .seconds(5))
      #expect(next?.message == (isFailed ? nil : 2))
      #expect(lanes.finish(0, in: lane) == nil)
      #expect(lanes.occupied.isEmpty && lanes.waitingCount == 0)
    }
  }

  @Test("M1: of all that waits the oldest is dropped, whatever its lane")
  func dropsOldest() {
    var lanes = Lanes<Int, Int>()
    for id in 0..<9 { _ = lanes.admit(id, to: Lane(.serial, id % 3), as: id) }
    var dropped: [Int] = []
    while let oldest = lanes.dropOldest() { dropped.append(oldest) }
    #expect(dropped == [3, 4, 5, 6, 7, 8] && lanes.waitingCount == 0)
  }
}
