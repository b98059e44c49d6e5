import Foundation

/// A value under a lock.
final class Locked: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Int

  init(_ value: Int) { self.value = value }

  func read() -> Int { lock.withLock { value } }
  func write(_ new: Int) { lock.withLock { value = new } }
}
