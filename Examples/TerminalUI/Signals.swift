@preconcurrency import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Signals of the process as an asynchronous sequence.
package enum Signals {
  /// Returns the number of each arriving signal.
  ///
  /// The signals in `numbers` lose their default effect.
  ///
  /// If several signals arrive before the consumer asks for the next one, only the newest is kept. With `announcesReadiness`, the
  /// sequence also delivers each number once when it is ready to receive that signal.
  package static func of(
    _ numbers: Int32..., announcesReadiness: Bool = false
  ) -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int32.self, bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "TerminalUI.signals")
    let sources = numbers.map { number in
      if number != SIGWINCH { _ = signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(number) }
      if announcesReadiness { source.setRegistrationHandler { continuation.yield(number) } }
      source.activate()
      return source
    }
    continuation.onTermination = { _ in
      for source in sources { source.cancel() }
    }
    return stream
  }
}
