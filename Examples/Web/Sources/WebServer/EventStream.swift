internal import CMicroHTTPD
import Synchronization

/// One answer of server-sent events: what is sent from any thread leaves as fast as the client reads.
///
/// No thread waits for it. While there is nothing to send its connection is suspended, and the next
/// `send(_:)` resumes it. Whatever is sent waits here until the client takes it, so whoever sends looks
/// at ``isIdle`` or waits for an answer of the client first.
public final class EventStream: Sendable {
  private struct State {
    /// What was not read yet; the arrays are shared with other streams that send the same.
    var waiting: [[UInt8]] = []
    /// How much of the first one was read.
    var offset = 0
    /// The address of the connection while it is suspended; the library cannot close it then.
    var suspended: UInt?
    var isFinished = false
  }

  /// What is said of the answer beside its type.
  let headers: [String: String]
  private let state = Mutex(State())
  private let onClose: @Sendable () -> Void

  /// Begins with nothing to send.
  ///
  /// - Parameters:
  ///   - headers: What is said of the answer beside its type.
  ///   - onClose: Called once when the connection has ended, on the server's thread.
  public init(headers: [String: String] = [:], onClose: @escaping @Sendable () -> Void) {
    self.headers = headers
    self.onClose = onClose
  }

  /// Whether the client has taken everything.
  public var isIdle: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Sends bytes: whole events, or a comment.
  public func send(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isFinished, !bytes.isEmpty else { return }
      state.waiting.append(bytes)
      resume(&state)
    }
  }

  /// Ends the answer after what was sent so far.
  public func finish() {
    state.withLock { state in
      state.isFinished = true
      resume(&state)
    }
  }

  /// What the library calls: copies what is there, or suspends the connection.
  ///
  /// The lock is held while the connection is suspended or resumed: no `send(_:)` falls between the two.
  func read(into buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Int {
    state.withLock { state in
      guard let first = state.waiting.first else {
        if state.isFinished { return Int(MHD_CONTENT_READER_END_OF_STREAM) }
        state.suspended = UInt(bitPattern: connection)
        unsafe MHD_suspend_connection(connection)
        return 0
      }
      let count = min(buffer.count, first.count - state.offset)
      unsafe buffer.copyBytes(from: first[state.offset..<state.offset + count])
      state.offset += count
      if state.offset == first.count {
        state.waiting.removeFirst()
        state.offset = 0
      }
      return count
    }
  }

  /// What the library calls when the connection has ended.
  func close() {
    state.withLock { state in
      state.isFinished = true
      state.waiting = []
      state.offset = 0
    }
    onClose()
  }

  private func resume(_ state: inout State) {
    guard let address = state.suspended.take() else { return }
    unsafe MHD_resume_connection(OpaquePointer(bitPattern: address))
  }
}
