/// A time, and what waits for a later one.
struct DeadlineQueue<Entry: Sendable>: Sendable {
  /// The time since the start; it never moves back.
  private(set) var now = Duration.zero
  private var entries: [(deadline: Duration, entry: Entry)] = []

  var nextDeadline: Duration? { entries.first?.deadline }

  /// Keeps an entry; those with one deadline come in the order in which they were kept.
  mutating func insert(_ entry: Entry, until deadline: Duration) {
    let index = entries.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    entries.insert((deadline, entry), at: index)
  }

  /// Moves the time.
  ///
  /// - Returns: The entries whose deadline is reached, in the order of their deadlines.
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
