@testable import AsyncOptical

/// The state machines of the policies as the desk uses them; a message is its own token.
struct AllLanes {
  var flights = Flights<Int>()
  var lanes = Lanes<Int, Int>()

  var isEmpty: Bool { flights.isEmpty && lanes.occupied.isEmpty }

  mutating func admit(
    _ id: Int, to lane: Lane, now: Duration = .zero, interval: Duration = .zero
  ) -> Admission<Int> {
    guard lane.kind.mayWait else { return flights.admit(id, to: lane) }
    return lanes.admit(id, to: lane, as: id, now: now, interval: interval)
  }

  /// Whether the next message is due.
  mutating func finish(_ id: Int, in lane: Lane, now: Duration = .zero) -> Bool {
    if lane.kind.mayWait { return lanes.finish(id, in: lane, now: now) != nil }
    flights.finish(id, in: lane)
    return false
  }

  mutating func cancel(_ lane: Lane) -> (inFlight: Int?, waiting: Int) {
    let cancelled = lanes.cancel(lane)
    return (flights.cancel(lane) ?? cancelled?.inFlight, cancelled?.waiting.count ?? 0)
  }
}
