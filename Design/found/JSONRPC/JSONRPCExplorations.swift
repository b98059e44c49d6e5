import ExploreTesting
import Foundation
import JSONRPC
import Testing

/// `JSONRPC` at 29987f7.
@Suite struct JSONRPCExplorations {
  private struct Broken: Error {}

  @Test("A request fails exactly once if the channel closes while its write fails")
  func closing() async {
    await explore(seeds: 1_000) {
      let (stream, continuation) = AsyncStream<Data>.makeStream()
      let channel = DataChannel(
        writeHandler: { _ in
          await Task.yield()
          throw Broken()
        }, dataSequence: stream)
      let session = JSONRPCSession(channel: channel)
      let request = Task { try await session.sendDataRequest("x", method: "m") }
      let closing = Task { continuation.finish() }
      await #expect(throws: (any Error).self) { try await request.value }
      await closing.value
    }
  }
}
