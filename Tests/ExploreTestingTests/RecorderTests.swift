@Suite struct RecorderTests {
  private struct Broken: Error {}

  @Test("A recorder waits for a number of elements, and returns them in order")
  func waitsForElements() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let recorder = Recorder(stream)
    Task { for value in 0..<5 { continuation.yield(value) } }
    let elements = await recorder.wait(for: 5)
    #expect(elements == [0, 1, 2, 3, 4])
  }

  @Test("A recorder knows how the sequence ended")
  func ends() async {
    let finished = Recorder(AsyncStream<Int> { $0.finish() })
    await finished.waitForEnd()
    guard case .finished = finished.end else {
      Issue.record("\(String(describing: finished.end))")
      return
    }
    let failed = Recorder(AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) })
    await failed.waitForEnd()
    guard case .failed(let error) = failed.end else {
      Issue.record("\(String(describing: failed.end))")
      return
    }
    #expect(error is Broken)
  }

  @Test("A sequence that ends too early fails the test, with a message of bounded length")
  func endsTooEarly() async {
    let issues = await recordedIssues {
      let recorder = Recorder(
        AsyncStream<String> { continuation in
          for _ in 0..<1_000 { continuation.yield(String(repeating: "x", count: 1_000)) }
          continuation.finish()
        })
      await recorder.wait(for: 1_001)
    }
    #expect(issues.say("has 1000 elements: [… x", "but the test waited for 1001 elements"))
    #expect(issues.allSatisfy { "\($0.comments)".count < 1_000 })
  }

  @Test("A cancelled wait returns the elements recorded so far")
  func cancelledWait() async {
    let recorder = Recorder(AsyncStream<Int> { $0.yield(1) })
    await recorder.wait(for: 1)
    let waiting = Task { await recorder.wait(for: 2) }
    waiting.cancel()
    let elements = await waiting.value
    #expect(elements == [1])
  }

  @Test("A recorder that is released ends the iteration of its sequence")
  func dropped() async {
    let ended = AsyncStream.makeStream(of: Void.self)
    do {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in ended.continuation.finish() }
      continuation.yield(1)
      await Recorder(stream).wait(for: 1)
    }
    for await _ in ended.stream {}
  }
}
