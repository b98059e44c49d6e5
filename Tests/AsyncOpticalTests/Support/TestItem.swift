@testable import AsyncOptical

/// A message as the lanes see it, with the id by which tests know it.
struct TestItem: LaneItem, CustomStringConvertible {
  let id: Int
  let terms: Terms
  let urgency: UInt8 = 0
  let isRevoked = false

  init(_ id: Int, _ lane: Lane, limit: Int = 1, interval: Duration = .zero) {
    self.id = id
    terms = Terms(lane: lane, limit: limit, interval: interval)
  }

  var description: String { "\(id)" }

  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}
