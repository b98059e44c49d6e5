import ExploreTesting
import Testing

@testable import GRPCCore
@testable import GRPCInProcessTransport

/// `grpc-swift-2` at ac33066e.
@Suite struct GRPCSwiftExplorations {
  private final class Reader: @unchecked Sendable {
    private var iterator: BroadcastAsyncSequence<Int>.AsyncIterator
    init(_ stream: BroadcastAsyncSequence<Int>) { iterator = stream.makeAsyncIterator() }

    func next() async throws -> Int? { try await iterator.next() }

    func all() async throws -> [Int] {
      var got: [Int] = []
      while let element = try await next() { got.append(element) }
      return got
    }
  }

  @Test("A reader that keeps up gets each element once, although a slow one is dropped")
  func fastReader() async {
    await explore(seeds: 1_000) {
      let (stream, source) = BroadcastAsyncSequence.makeStream(of: Int.self, bufferSize: 4)
      let slow = Reader(stream)
      let fast = Reader(stream)
      let reader = Task { try await fast.all() }
      for element in 0..<6 { try await source.write(element) }
      source.finish()
      #expect(try await reader.value == Array(0..<6))
      withExtendedLifetime(slow) {}
    }
  }

  @Test("A writer does not wait for a reader that has caught up")
  func writer() async {
    await explore(seeds: 1_000) {
      let (stream, source) = BroadcastAsyncSequence.makeStream(of: Int.self, bufferSize: 4)
      let only = Reader(stream)
      let reader = Task {
        var got: [Int?] = []
        for _ in 0..<6 { got.append(try await only.next()) }
        return got
      }
      let writer = Task { for element in 0..<6 { try await source.write(element) } }
      let got = try await reader.value
      #expect(got == Array(0..<6))
      _ = writer
    }
  }

  @Test("A reader gets what was written before the end")
  func end() async {
    await explore(seeds: 1_000) {
      let (stream, source) = BroadcastAsyncSequence.makeStream(of: Int.self, bufferSize: 8)
      let only = Reader(stream)
      let reader = Task { try await only.all() }
      let writer = Task {
        for element in 0..<5 { try await source.write(element) }
        source.finish()
      }
      try await writer.value
      #expect(try await reader.value == Array(0..<5))
    }
  }

  @Test("A stream that waits for the connection ends when the client is shut down")
  func shutdown() async {
    await explore(seeds: 1_000) {
      let client = InProcessTransport().client
      let method = MethodDescriptor(fullyQualifiedService: "test", method: "echo")
      let stream = Task {
        try await client.withStream(descriptor: method, options: .defaults) { _, _ in }
      }
      let closing = Task { client.beginGracefulShutdown() }
      _ = await stream.result
      await closing.value
    }
  }
}
