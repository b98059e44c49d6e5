/// A task that sleeps on a test clock.
struct Sleeper {
  let id: Int
  let deadline: TestClock.Instant
  let continuation: CheckedContinuation<Void, any Error>
}

/// The moment that a test clock shows, and the tasks that sleep on it.
struct SleeperQueue {
  private(set) var now: TestClock.Instant
  /// The sleeping tasks by deadline; those with one deadline in the order in which they came.
  private var sleepers: [Sleeper] = []
  private var watchers: [Watcher] = []

  /// A task that waits until enough tasks sleep.
  private struct Watcher {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private var lastID = 0

  init(now: TestClock.Instant) { self.now = now }

  var count: Int { sleepers.count }
  var nextDeadline: TestClock.Instant? { sleepers.first?.deadline }

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func insert(_ sleeper: Sleeper) {
    let index = sleepers.lastIndex { $0.deadline <= sleeper.deadline }.map { $0 + 1 } ?? 0
    sleepers.insert(sleeper, at: index)
  }

  mutating func remove(_ id: Int) -> Sleeper? {
    sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
  }

  mutating func removeAll() -> [Sleeper] {
    defer { sleepers = [] }
    return sleepers
  }

  /// Moves time, never back.
  ///
  /// - Returns: The tasks whose deadline is reached, in the order of their deadlines.
  mutating func move(to instant: TestClock.Instant) -> [Sleeper] {
    now = max(now, instant)
    let due = sleepers.prefix { $0.deadline <= now }
    sleepers.removeFirst(due.count)
    return Array(due)
  }

  /// Keeps a watcher until enough tasks sleep.
  ///
  /// - Returns: Whether enough do already, and the watcher is not kept.
  mutating func watch(
    _ id: Int, atLeast count: Int, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    guard sleepers.count < count else { return true }
    watchers.append(Watcher(id: id, count: count, continuation: continuation))
    return false
  }

  /// Takes out a watcher whose task was cancelled.
  mutating func removeWatcher(_ id: Int) -> CheckedContinuation<Void, Never>? {
    watchers.firstIndex { $0.id == id }.map { watchers.remove(at: $0).continuation }
  }

  mutating func dueWatchers() -> [CheckedContinuation<Void, Never>] {
    let due = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
    watchers.removeAll { $0.count <= sleepers.count }
    return due
  }
}
