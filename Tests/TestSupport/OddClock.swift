import Synchronization

/// A clock whose first `failures` sleeps fail, and whose instants are milliseconds in 32 bits.
package final class OddClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    var milliseconds: Int32
    package func advanced(by duration: Duration) -> Instant {
      let step = duration.components
      return Instant(
        milliseconds: milliseconds
          + Int32(
            step.seconds * 1_000 + step.attoseconds / 1_000_000_000_000_000))
    }
    package func duration(to other: Instant) -> Duration {
      .milliseconds(Int64(other.milliseconds) - Int64(milliseconds))
    }
    package static func < (left: Instant, right: Instant) -> Bool {
      left.milliseconds < right.milliseconds
    }
  }
  package struct Paused: Error {}

  private let failures: Atomic<Int>
  private let started = ContinuousClock.now
  package init(failures: Int = 0) { self.failures = Atomic(failures) }

  package var now: Instant {
    Instant(milliseconds: 0).advanced(by: started.duration(to: .now))
  }
  package var minimumResolution: Duration { .milliseconds(1) }
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if failures.load(ordering: .relaxed) > 0 {
      failures.subtract(1, ordering: .relaxed)
      throw Paused()
    }
    try await ContinuousClock().sleep(for: now.duration(to: deadline))
  }
}
