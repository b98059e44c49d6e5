@unsafe @preconcurrency internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Delivers the signals that end the program as a sequence.
///
/// The signals lose their default effect.
public enum Signals {
  /// Returns the signals that ask the program to end: `SIGINT` and `SIGTERM`.
  public static func ending() -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    let sources = [SIGINT, SIGTERM].map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.activate()
      return source
    }
    continuation.onTermination = { _ in
      for source in sources { source.cancel() }
    }
    return stream
  }
}
