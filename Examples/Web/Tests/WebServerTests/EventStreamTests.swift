import Testing

@testable import WebServer

@Suite struct EventStreamTests {
  /// Reads like the library, but with a fake connection, which a stream does not use while it has bytes to send.
  private func read(_ stream: EventStream, _ room: Int) throws -> [UInt8] {
    let connection = try #require(OpaquePointer(bitPattern: 1))
    var bytes = [UInt8](repeating: 0, count: room)
    let count = bytes.withUnsafeMutableBytes { stream.read(into: $0, for: connection) }
    return Array(bytes.prefix(count))
  }

  @Test(
    "bytes that are sent in parts are read in order, and each read fills its buffer if possible")
  func parts() throws {
    let stream = EventStream {}
    stream.send([1, 2, 3], [], [4, 5])
    stream.send(contentsOf: [[6], [7, 8]])
    #expect(try read(stream, 4) == [1, 2, 3, 4])
    #expect(!stream.isIdle)
    #expect(try read(stream, 9) == [5, 6, 7, 8])
    #expect(stream.isIdle)
  }

  @Test("drained() returns true once the client has read all bytes")
  func drained() async throws {
    let stream = EventStream {}
    #expect(await stream.drained(), "a stream without bytes is drained")
    stream.send([1, 2, 3])
    async let isOpen = stream.drained()
    #expect(try read(stream, 2) == [1, 2])
    #expect(try read(stream, 2) == [3])
    #expect(await isOpen)
  }

  @Test("drained() returns false once the connection has ended")
  func ended() async {
    let stream = EventStream {}
    stream.send([1])
    async let isOpen = stream.drained()
    stream.close()
    #expect(await !isOpen)
    stream.send([2])
    #expect(stream.isIdle)
    #expect(await !stream.drained())
  }
}
