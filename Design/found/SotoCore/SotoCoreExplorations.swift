import ExploreTesting
import Foundation
import Synchronization
import Testing

@testable import SotoCore

/// `soto-core` at 47454bf79.
@Suite struct SotoCoreExplorations {
  /// Counts how many updates run, and the most that ran at the same time.
  private final class Meter: Sendable {
    private let state = Mutex((now: 0, most: 0))
    var most: Int { state.withLock { $0.most } }

    func work() async {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      state.withLock { $0.now -= 1 }
    }
  }

  @Test("A cancelled caller does not make later calls throw")
  func cancelled() async {
    await explore(seeds: 1_000) {
      let fetch: @Sendable () async throws -> (Int, Date) = {
        await Task.yield()
        try Task.checkCancellation()
        return (1, Date() + 3_600)
      }
      let value = ExpiringValue<Int>(threshold: 2)
      let callers = (0..<2).map { _ in Task { try? await value.getValue(getExpiringValue: fetch) } }
      callers[0].cancel()
      for caller in callers { _ = await caller.value }
      let later = try await value.getValue(getExpiringValue: fetch)
      #expect(later == 1)
    }
  }

  @Test("One update runs at any one time")
  func oneAtATime() async {
    await explore(seeds: 1_000) {
      let meter = Meter()
      let fetch: @Sendable () async throws -> (Int, Date) = {
        await meter.work()
        return (1, Date() + 100)
      }
      let value = ExpiringValue<Int>(threshold: 165, getExpiringValue: fetch)
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            for _ in 0..<2 { _ = try? await value.getValue(getExpiringValue: fetch) }
          }
        }
      }
      #expect(meter.most == 1)
    }
  }
}
