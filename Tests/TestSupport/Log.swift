import Synchronization

/// Entries that tasks append from any thread, in order.
package final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  package init() {}

  package var all: [Entry] { entries.withLock { $0 } }

  /// The number of entries.
  ///
  /// The array is not copied out of the lock, because a concurrent `append` would then have to duplicate it.
  package var count: Int { entries.withLock { $0.count } }

  package func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
