import AsyncDiff
import FleetLog
import Synchronization
import Testing

@testable import Fleet

@Suite struct GatewayTests {
  @Test(
    "an event that was not ready at the first request is created at the second request and then shared"
  )
  func lateEvent() async throws {
    let revision = SnapshotRevision(epoch: 1, number: 1)
    let list = DiffableSnapshot(sections: [FleetList(content: .init(), items: [])])
    let asked = Mutex(0)
    let feed = Feed(name: "m1", revision: revision, load: 0) { _, isPacked in
      let isReady = asked.withLock { count in
        count += 1
        return count > 1
      }
      return isReady ? FleetEvent(of: "m1", .snapshot(list, revision), isPacked: isPacked) : nil
    }
    let gateway = Gateway(MemoryLog())
    var got: [SnapshotRevision?] = []
    for _ in 0..<3 {
      got.append(await gateway.event(of: feed, since: Known(), isPacked: true).value?.revision)
    }
    #expect(got == [nil, revision, revision])
    #expect(asked.withLock { $0 } == 2)
  }
}
