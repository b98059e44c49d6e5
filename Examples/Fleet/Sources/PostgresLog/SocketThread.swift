import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An executor with its own thread, which waits for jobs and for a socket.
///
/// Jobs can block on the socket without blocking a thread of the cooperative pool.
final class SocketThread: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var socket: Int32?
    var onInput: (@Sendable () -> Void)?
    var isEnded = false
  }

  private let state = Mutex(State())
  /// A byte in this pipe wakes the thread.
  private let wakeUp: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "cannot open a pipe: \(String(cString: strerror(errno)))")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    wakeUp = (ends[0], ends[1])
    let thread = Thread { [self] in run() }
    thread.name = "postgres"
    thread.start()
  }

  deinit {
    close(wakeUp.read)
    close(wakeUp.write)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    wake()
  }

  /// Calls `onInput` once, on this thread, when the socket is readable.
  func watch(_ socket: Int32, _ onInput: @escaping @Sendable () -> Void) {
    state.withLock { ($0.socket, $0.onInput) = (socket, onInput) }
  }

  func watchNothing() {
    let old = state.withLock { state in
      state.socket = nil
      return state.onInput.take()
    }
    withExtendedLifetime(old) {}
  }

  /// Ends the thread after all enqueued jobs have run.
  func end() {
    state.withLock { $0.isEnded = true }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    // If the pipe is full, the thread wakes up anyway.
    _ = write(wakeUp.write, &byte, 1)
  }

  private func run() {
    while true {
      let (jobs, socket, isEnded) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.socket, state.isEnded)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if !jobs.isEmpty { continue }
      if isEnded { return }
      var waits = [pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)]
      if let socket { waits.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
      _ = poll(&waits, nfds_t(waits.count), -1)
      if waits[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wakeUp.read, &bytes, bytes.count) > 0 {}
      }
      if waits.count == 2, waits[1].revents != 0 {
        let onInput = state.withLock { state in
          state.socket = nil
          return state.onInput.take()
        }
        onInput?()
      }
    }
  }
}
