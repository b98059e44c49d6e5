import Synchronization

/// Entries that tasks append from any thread, in order.
package final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  package init() {}

  package var all: [Entry] { entries.withLock { $0 } }

  /// The number of entries, read without a copy of the array, which would make a concurrent `append` copy it.
  package var count: Int { entries.withLock { $0.count } }

  package func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
