import DequeModule
import ExploreTesting
import NIOCore
import Synchronization
import Testing

/// `swift-nio` at 63018571c.
@Suite struct SwiftNIOExplorations {
  private final class Delegate: NIOAsyncWriterSinkDelegate, NIOAsyncSequenceProducerDelegate {
    private let count = Mutex(0)
    var terminations: Int { count.withLock { $0 } }
    func didYield(contentsOf sequence: Deque<Int>) {}
    func didTerminate(error: (any Error)?) { count.withLock { $0 += 1 } }
    func produceMore() {}
    func didTerminate() { count.withLock { $0 += 1 } }
  }

  @Test("A finished writer notifies its delegate when its last yield is cancelled")
  func writer() async {
    await explore(seeds: 1_000) {
      let delegate = Delegate()
      let new = NIOAsyncWriter<Int, Delegate>.makeWriter(
        isWritable: false, finishOnDeinit: true, delegate: delegate)
      let (writer, sink) = (new.writer, new.sink)
      let write = Task { try? await writer.yield(1) }
      let finishing = Task { writer.finish() }
      let cancelling = Task { write.cancel() }
      await write.value
      await finishing.value
      await cancelling.value
      sink.setWritability(to: true)
      #expect(delegate.terminations == 1)
    }
  }

  @Test("A reader that is cancelled before its first element terminates the producer")
  func producer() async {
    await explore(seeds: 1_000) {
      let delegate = Delegate()
      let new = NIOAsyncSequenceProducer.makeSequence(
        elementType: Int.self,
        backPressureStrategy: NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
          lowWatermark: 1, highWatermark: 2),
        finishOnDeinit: true, delegate: delegate)
      let (source, sequence) = (new.source, new.sequence)
      let reader = Task { for await _ in sequence {} }
      let cancelling = Task { reader.cancel() }
      await reader.value
      await cancelling.value
      #expect(delegate.terminations == 1)
      withExtendedLifetime(source) {}
    }
  }
}
