import Synchronization

/// What tasks write down, in order, from any thread.
package final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  package init() {}

  package var all: [Entry] { entries.withLock { $0 } }

  package func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
