import Foundation
import Synchronization

/// The lines of standard input, read by a separate thread.
func lines() -> AsyncStream<String> {
  AsyncStream { continuation in
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }
}

/// Writes whole lines to standard output, from any task.
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
