import Testing

@testable import WebServer

@Suite struct EventStreamTests {
  /// Reads as the library does; a stream that has something to say does not touch its connection.
  private func read(_ stream: EventStream, _ room: Int) throws -> [UInt8] {
    let connection = try #require(OpaquePointer(bitPattern: 1))
    var bytes = [UInt8](repeating: 0, count: room)
    let count = bytes.withUnsafeMutableBytes { stream.read(into: $0, for: connection) }
    return Array(bytes.prefix(count))
  }

  @Test("what was sent in parts is read in full buffers, in order, and cut where the room ends")
  func parts() throws {
    let stream = EventStream {}
    stream.send([1, 2, 3], [], [4, 5])
    stream.send(contentsOf: [[6], [7, 8]])
    #expect(try read(stream, 4) == [1, 2, 3, 4])
    #expect(!stream.isIdle)
    #expect(try read(stream, 9) == [5, 6, 7, 8])
    #expect(stream.isIdle)
  }

  @Test("who waits goes on when everything was taken, and no earlier")
  func drained() async throws {
    let stream = EventStream {}
    #expect(await stream.drained(), "nothing is there to be taken")
    stream.send([1, 2, 3])
    async let isOpen = stream.drained()
    #expect(try read(stream, 2) == [1, 2])
    #expect(try read(stream, 2) == [3])
    #expect(await isOpen)
  }

  @Test("who waits learns that the connection has ended, also after the end")
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
