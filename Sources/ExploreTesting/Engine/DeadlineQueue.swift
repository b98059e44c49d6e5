/// A virtual time, and the entries that wait until it reaches their deadlines.
struct DeadlineQueue<Entry: Sendable>: Sendable {
  /// The time since the start; it never moves back.
  private(set) var now = Duration.zero
  private var entries: [(deadline: Duration, entry: Entry)] = []

  var nextDeadline: Duration? { entries.first?.deadline }

  /// Adds an entry.
  ///
  /// Entries with equal deadlines keep the order in which they were added.
  mutating func insert(_ entry: Entry, until deadline: Duration) {
    let index = entries.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    entries.insert((deadline, entry), at: index)
  }

  /// Advances the time and returns the entries that are due, sorted by deadline.
  mutating func move(to time: Duration) -> [Entry] {
    now = max(now, time)
    let due = entries.prefix { $0.deadline <= now }
    entries.removeFirst(due.count)
    return due.map(\.entry)
  }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries.map(\.entry)
  }
}
