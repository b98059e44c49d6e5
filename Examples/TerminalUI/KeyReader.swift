@preconcurrency import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads the keys of a descriptor on a separate queue, so that no task's thread blocks in `read`.
enum KeyReader {
  /// The time that an Escape waits for the rest of an arrow key.
  private static let patience = DispatchTimeInterval.milliseconds(40)

  /// Returns the keys of a descriptor, until the descriptor closes or the consumer stops.
  static func keys(from descriptor: Int32) -> AsyncStream<Key> {
    let (stream, continuation) = AsyncStream.makeStream(of: Key.self)
    let queue = DispatchQueue(label: "TerminalUI.keys")
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let machine = Mutex((decoder: KeyDecoder(), reads: 0))
    source.setEventHandler {
      guard let bytes = available(on: descriptor) else { return continuation.finish() }
      let (keys, reads) = machine.withLock { state in
        state.reads += 1
        return (state.decoder.decode(bytes), state.decoder.isWaiting ? state.reads : nil)
      }
      for key in keys { continuation.yield(key) }
      guard let reads else { return }
      queue.asyncAfter(deadline: .now() + patience) {
        let late = machine.withLock { $0.reads == reads ? $0.decoder.flush() : [] }
        for key in late { continuation.yield(key) }
      }
    }
    // The source must not outlive its stream, and must not be released while it is suspended. Cancelling it ensures both.
    continuation.onTermination = { _ in source.cancel() }
    source.activate()
    return stream
  }

  /// Returns the available bytes; `nil` at the end.
  private static func available(on descriptor: Int32) -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let length = read(descriptor, buffer.baseAddress, buffer.count)
      failure = length < 0 ? errno : 0
      count = max(0, length)
    }
    if failure == EINTR || failure == EAGAIN { return [] }
    return bytes.isEmpty || failure != 0 ? nil : bytes
  }
}
