import Foundation
import Synchronization

/// Returns the lines of standard input, which a separate thread reads.
func lines() -> AsyncStream<String> {
  AsyncStream { continuation in
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }
}

/// Writes whole lines to standard output.
///
/// Several tasks can write at the same time.
struct LineWriter: Sendable {
  private static let lock = Mutex(())

  func write(_ line: String) {
    Self.lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
  }

  func write(_ value: some Encodable, to name: String? = nil) throws {
    let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    write(name.map { "\($0) \(text)" } ?? text)
  }
}
