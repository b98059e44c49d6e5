internal import CMicroHTTPD
import Synchronization

/// A response that consists of server-sent events.
///
/// Any thread can send bytes. The server transmits them as fast as the client reads.
///
/// No thread waits for the client. While there is nothing to send, the connection is suspended, and the next `send(_:)` resumes
/// it. Unread bytes stay in memory, so before you send more, check ``isIdle``, await ``drained()``, or wait for a confirmation
/// from the client.
public final class EventStream: Sendable {
  private struct State {
    /// The arrays that the client has not read yet.
    ///
    /// Streams that send the same bytes share these arrays.
    var waiting: [[UInt8]] = []
    /// The number of bytes of the first array that the client has read.
    var offset = 0
    /// The address of the connection while it is suspended.
    ///
    /// The library cannot close a suspended connection.
    var suspended: UInt?
    var isFinished = false
    /// The tasks that are waiting until the client has read all bytes.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Additional headers of the response.
  let headers: [String: String]
  private let state = Mutex(State())
  private let onClose: @Sendable () -> Void

  /// Creates a stream without bytes.
  ///
  /// - Parameters:
  ///   - headers: Additional headers of the response.
  ///   - onClose: A closure that is called once on the server's thread when the connection has ended.
  public init(headers: [String: String] = [:], onClose: @escaping @Sendable () -> Void) {
    self.headers = headers
    self.onClose = onClose
  }

  /// Whether the client has read all bytes.
  public var isIdle: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Sends bytes, which must form whole events or comments.
  public func send(_ bytes: [UInt8]...) { send(contentsOf: bytes) }

  /// Sends arrays of bytes, which several streams can share.
  public func send(contentsOf parts: [[UInt8]]) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.waiting += parts.lazy.filter { !$0.isEmpty }
      if !state.waiting.isEmpty { resume(&state) }
    }
  }

  /// Waits until the client has read all bytes, or until nothing more can be sent.
  ///
  /// Cancelling the task does not end the wait, but the end of the connection does.
  ///
  /// - Returns: Whether you can send more.
  public func drained() async -> Bool {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        let isOver = state.isFinished || state.waiting.isEmpty
        if !isOver { state.waiters.append(continuation) }
        return isOver
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { !$0.isFinished }
  }

  /// Ends the response after the bytes that have been sent.
  public func finish() {
    state.withLock { state in
      state.isFinished = true
      resume(&state)
    }
  }

  /// Copies bytes to the library's buffer, or suspends the connection.
  ///
  /// The library calls this method.
  ///
  /// The lock is held from the check for bytes until the connection is suspended, so no `send(_:)` can run in between.
  func read(into buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Int {
    let (count, waiters) = state.withLock { state in
      var count = 0
      while let first = state.waiting.first, count < buffer.count {
        let end = min(first.count, state.offset + buffer.count - count)
        let part = first[state.offset..<end]
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
        count += part.count
        state.offset = end
        if end == first.count {
          state.waiting.removeFirst()
          state.offset = 0
        }
      }
      guard count == 0 else {
        return (count, state.waiting.isEmpty ? Self.takeWaiters(&state) : [])
      }
      if state.isFinished { return (Int(MHD_CONTENT_READER_END_OF_STREAM), []) }
      state.suspended = UInt(bitPattern: connection)
      unsafe MHD_suspend_connection(connection)
      return (0, [])
    }
    for waiter in waiters { waiter.resume() }
    return count
  }

  /// Ends the stream.
  ///
  /// The library calls this method when the connection has ended.
  func close() {
    let waiters = state.withLock { state in
      state.isFinished = true
      state.waiting = []
      state.offset = 0
      return Self.takeWaiters(&state)
    }
    for waiter in waiters { waiter.resume() }
    onClose()
  }

  private static func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    defer { state.waiters = [] }
    return state.waiters
  }

  private func resume(_ state: inout State) {
    guard let address = state.suspended.take() else { return }
    unsafe MHD_resume_connection(OpaquePointer(bitPattern: address))
  }
}
