@testable import AsyncOptical

extension Lane.Kind {
  /// The kinds of policies that have an id.
  static let withID: [Self] = [.serial, .latest, .exclusive, .debounced, .throttled]

  var isSerial: Bool { self == .serial }
  var isTimed: Bool { self == .debounced || self == .throttled }

  /// Returns a policy of this kind, with times of one second.
  func policy(_ id: String) -> DispatchPolicy {
    switch self {
    case .concurrent: .concurrent
    case .serial: .serial(id)
    case .latest: .latest(id)
    case .exclusive: .exclusive(id)
    case .debounced: .debounced(id, for: .seconds(1))
    case .throttled: .throttled(id, for: .seconds(1))
    }
  }
}

extension DispatchOutcome {
  /// The outcome in one word, preceded by "joined" if the message joined another.
  var words: String { if case .joined(let other) = self { "joined \(other)" } else { "\(self)" } }
}

/// A message as the lanes see it, with the id that tests use.
struct TestItem: LaneItem, CustomStringConvertible {
  let id: Int
  let terms: Terms
  let urgency: UInt8
  let isRevoked = false
  var isStale = false

  init(
    _ id: Int, _ lane: Lane, limit: Int = 1, interval: Duration? = nil, fresh: Duration? = nil,
    urgency: UInt8 = 0
  ) {
    (self.id, self.urgency) = (id, urgency)
    terms = Terms(lane: lane, limit: limit, interval: interval, fresh: fresh)
  }

  var description: String { "\(id)" }

  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}
